//! The beginning of a job: do all ranks run the same program with the same plan?
//!
//! Each tells rank 0 its version, its plan and its threads. Rank 0 compares, and tells all of them
//! either how many threads each has or that the job cannot begin.

use super::post::Post;
use super::transport::{Lost, Message};
use super::wire::{Decoder, Encoder, Garbled};
use std::time::Duration;

/// Changes whenever messages do.
const PROTOCOL: u64 = 2;

/// How long to wait for a message before waiting for it again.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a rank says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// The version of its program.
    pub version: String,
    /// What it is to do, in words; or why it cannot.
    pub plan: Result<String, String>,
    /// How many threads it has.
    pub threads: usize,
}

/// All ranks, which agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// How many threads each rank has.
    pub threads: Vec<usize>,
}

impl Team {
    /// How many threads there are in all.
    pub fn all_threads(&self) -> usize {
        self.threads.iter().sum()
    }
}

/// Why a job cannot begin, or go on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JobError {
    /// A rank has another version than rank 0.
    #[error(
        "rank {rank} is permutile {theirs}, and rank 0 is {own}: install the same on all nodes"
    )]
    OtherVersion {
        /// The rank.
        rank: usize,
        /// Its version.
        theirs: String,
        /// That of rank 0.
        own: String,
    },
    /// A rank would do something else than rank 0.
    #[error(
        "rank {rank} has another plan than rank 0: start all ranks by one command, with the same \
         files on all nodes\n  rank 0: {own}\n  rank {rank}: {theirs}"
    )]
    OtherPlan {
        /// The rank.
        rank: usize,
        /// What it would do.
        theirs: String,
        /// What rank 0 would do.
        own: String,
    },
    /// A rank cannot do its part.
    #[error("rank {rank}: {reason}")]
    Unable {
        /// The rank.
        rank: usize,
        /// Why not.
        reason: String,
    },
    /// Rank 0 has found one of these, and says so itself.
    #[error("rank 0 has called it off")]
    CalledOff,
    /// A rank is gone.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// A message makes no sense.
    #[error(transparent)]
    Garbled(#[from] Garbled),
}

/// Compares all ranks. All of them call this.
///
/// # Errors
/// If they do not agree; then on all of them.
pub fn introduce(post: &Post, own: Introduction) -> Result<Team, JobError> {
    if post.rank() > 0 {
        post.send(0, own.encode());
        return welcome(&next_message(post)?);
    }
    let mut all: Vec<Option<Introduction>> = vec![None; post.size()];
    for _ in post.others() {
        let Message { from, bytes } = next_message(post)?;
        all[from] = Some(Introduction::decode(&bytes)?);
    }
    all[0] = Some(own);
    let all: Vec<Introduction> = all.into_iter().flatten().collect();
    let team = compare(&all);
    let answer = match &team {
        Ok(team) => {
            let threads: Vec<u64> = team.threads.iter().map(|&threads| threads as u64).collect();
            let number = |encoder: &mut Encoder, &threads: &u64| _ = encoder.number(threads);
            Encoder::default().byte(1).list(&threads, number).take()
        }
        Err(_) => Encoder::default().byte(0).take(),
    };
    post.others().for_each(|rank| post.send(rank, answer.clone()));
    team
}

fn next_message(post: &Post) -> Result<Message, Lost> {
    loop {
        if let Some(message) = post.receive(PATIENCE)? {
            return Ok(message);
        }
    }
}

fn welcome(message: &Message) -> Result<Team, JobError> {
    let mut decoder = Decoder::new(&message.bytes);
    if decoder.byte()? == 0 {
        return Err(JobError::CalledOff);
    }
    Ok(Team { threads: decoder.list(Decoder::size)? })
}

/// The first rank that is not as rank 0 decides.
fn compare(all: &[Introduction]) -> Result<Team, JobError> {
    let unable = |rank: usize, reason: &String| JobError::Unable { rank, reason: reason.clone() };
    let first = &all[0];
    for (rank, other) in all.iter().enumerate() {
        if other.version != first.version {
            let (theirs, own) = (other.version.clone(), first.version.clone());
            return Err(JobError::OtherVersion { rank, theirs, own });
        }
        match (&first.plan, &other.plan) {
            (Err(reason), _) => return Err(unable(0, reason)),
            (_, Err(reason)) => return Err(unable(rank, reason)),
            (Ok(own), Ok(theirs)) if own != theirs => {
                let (theirs, own) = (theirs.clone(), own.clone());
                return Err(JobError::OtherPlan { rank, theirs, own });
            }
            _ => {}
        }
    }
    Ok(Team { threads: all.iter().map(|rank| rank.threads).collect() })
}

impl Introduction {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let (is_able, plan) = match &self.plan {
            Ok(plan) => (1, plan),
            Err(reason) => (0, reason),
        };
        let mut encoder = Encoder::default();
        encoder.number(PROTOCOL).bytes(self.version.as_bytes());
        encoder.byte(is_able).bytes(plan.as_bytes()).number(self.threads as u64).take()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Introduction, Garbled> {
        let mut decoder = Decoder::new(bytes);
        let protocol = decoder.number()?;
        let mut version = decoder.text()?;
        if protocol != PROTOCOL {
            version += &format!(" (protocol {protocol})");
        }
        let is_able = decoder.byte()? == 1;
        let plan = decoder.text()?;
        let plan = if is_able { Ok(plan) } else { Err(plan) };
        Ok(Introduction { version, plan, threads: decoder.size()? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::channels::Channels;
    use super::*;
    use std::thread;

    fn introduced(all: &[Introduction]) -> Vec<Result<Team, JobError>> {
        thread::scope(|scope| {
            let ends = Channels::connect(all.len()).into_iter().zip(all);
            let start = |(end, own): (Channels, &Introduction)| {
                let own = own.clone();
                scope.spawn(move || Post::serve(end, |post| introduce(post, own)))
            };
            let threads: Vec<_> = ends.map(start).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    fn one(plan: Result<&str, &str>) -> Introduction {
        let owned = plan.map(str::to_owned).map_err(str::to_owned);
        Introduction { version: "1.0".to_owned(), plan: owned, threads: 2 }
    }

    #[test]
    fn ranks_that_agree_know_each_other() {
        let same = one(Ok("batch"));
        let more = Introduction { threads: 5, ..same.clone() };
        let team = Team { threads: vec![2, 5, 2] };
        assert_eq!(team.all_threads(), 9);
        for told in introduced(&[same.clone(), more, same]) {
            assert_eq!(told, Ok(team.clone()));
        }
    }

    #[test]
    fn ranks_that_differ_are_refused_by_name() {
        let same = one(Ok("batch"));
        let older = Introduction { version: "0.9".to_owned(), ..same.clone() };
        for (other, expected) in [
            (older, "rank 2 is permutile 0.9, and rank 0 is 1.0"),
            (one(Ok("batch; timeout 1s")), "rank 2 has another plan than rank 0"),
            (one(Err("there is no such file")), "rank 2: there is no such file"),
        ] {
            let told = introduced(&[same.clone(), same.clone(), other]);
            let text = told[0].as_ref().unwrap_err().to_string();
            assert!(text.starts_with(expected), "{text}");
            assert!(told[1..].iter().all(|told| *told == Err(JobError::CalledOff)));
        }
    }
}
