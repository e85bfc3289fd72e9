//! Messages as bytes: numbers of fixed size, lowest byte first, and texts with their length before
//! them.

/// Writes a message.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn byte(&mut self, byte: u8) -> &mut Encoder {
        self.bytes.push(byte);
        self
    }

    pub(super) fn number(&mut self, number: u64) -> &mut Encoder {
        self.bytes.extend(number.to_le_bytes());
        self
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Encoder {
        self.number(bytes.len() as u64);
        self.bytes.extend(bytes);
        self
    }

    /// A list, each item of which `encode` writes.
    pub(super) fn list<T>(
        &mut self,
        items: &[T],
        mut encode: impl FnMut(&mut Encoder, &T),
    ) -> &mut Encoder {
        self.number(items.len() as u64);
        items.iter().for_each(|item| encode(self, item));
        self
    }

    /// The whole message.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}

/// A message is none that this program would send.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a message is not what was expected: are all ranks of the same version?")]
pub struct Garbled;

/// Reads a message.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder { bytes }
    }

    pub(super) fn byte(&mut self) -> Result<u8, Garbled> {
        let (&first, rest) = self.bytes.split_first().ok_or(Garbled)?;
        self.bytes = rest;
        Ok(first)
    }

    pub(super) fn number(&mut self) -> Result<u64, Garbled> {
        let (first, rest) = self.bytes.split_first_chunk().ok_or(Garbled)?;
        self.bytes = rest;
        Ok(u64::from_le_bytes(*first))
    }

    /// A number of things, or an index.
    pub(super) fn size(&mut self) -> Result<usize, Garbled> {
        self.number()?.try_into().map_err(|_| Garbled)
    }

    /// A depth, or another small number.
    pub(super) fn small(&mut self) -> Result<u32, Garbled> {
        self.number()?.try_into().map_err(|_| Garbled)
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Garbled> {
        let length = self.size()?;
        let (first, rest) = self.bytes.split_at_checked(length).ok_or(Garbled)?;
        self.bytes = rest;
        Ok(first)
    }

    pub(super) fn text(&mut self) -> Result<String, Garbled> {
        let bytes = self.bytes()?;
        str::from_utf8(bytes).map(str::to_owned).map_err(|_| Garbled)
    }

    pub(super) fn list<T>(
        &mut self,
        mut decode: impl FnMut(&mut Decoder<'a>) -> Result<T, Garbled>,
    ) -> Result<Vec<T>, Garbled> {
        let length = self.size()?;
        (0..length).map(|_| decode(self)).collect()
    }

    /// That nothing is left.
    pub(super) fn end(&self) -> Result<(), Garbled> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Garbled) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let mut encoder = Encoder::default();
        encoder.byte(7).number(1 << 40).bytes("ä".as_bytes());
        let bytes = encoder.list(&[1_u64, 2], |encoder, &item| _ = encoder.number(item)).take();
        let read = |bytes: &[u8]| {
            let mut decoder = Decoder::new(bytes);
            let head = (decoder.byte()?, decoder.number()?, decoder.text()?);
            let list = decoder.list(Decoder::small)?;
            decoder.end().map(|()| (head, list))
        };
        assert_eq!(read(&bytes), Ok(((7, 1 << 40, "ä".to_owned()), vec![1, 2])));
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length]), Err(Garbled));
        }
        assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(Garbled));
        // A length beyond all memory is not believed.
        let vast = Encoder::default().number(u64::MAX).take();
        assert_eq!(Decoder::new(&vast).list(Decoder::byte), Err(Garbled));
        assert_eq!(Decoder::new(&vast).bytes(), Err(Garbled));
    }
}
