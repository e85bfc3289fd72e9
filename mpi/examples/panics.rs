//! A job whose last rank panics while the others wait for it: it has to end.

use permutile::cluster::post::Post;
use std::thread;
use std::time::Duration;

fn main() {
    let panics = |transport| {
        Post::serve(transport, |post| {
            if post.rank() + 1 == post.size() {
                thread::sleep(Duration::from_millis(200));
                panic!("rank {} panics, as it should", post.rank());
            }
            loop {
                let _ = post.receive(Duration::from_secs(1));
            }
        });
    };
    permutile_mpi::as_rank(panics, |()| false);
}
