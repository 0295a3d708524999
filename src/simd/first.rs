//! The order in which a shuffle of bytes picks lanes, for vectors of 4 lanes.

/// For each set of 4 lanes, the bytes of its first lane, then of its second, and so on.
pub(super) static FIRST: [[u8; 16]; 16] = {
    let mut first = [[0; 16]; 16];
    let mut lanes = 0;
    while lanes < 16 {
        let (mut left, mut byte) = (lanes, 0);
        while left != 0 {
            first[lanes][byte] = (4 * left.trailing_zeros()) as u8 + byte as u8 % 4;
            byte += 1;
            if byte % 4 == 0 {
                left &= left - 1;
            }
        }
        lanes += 1;
    }
    first
};
