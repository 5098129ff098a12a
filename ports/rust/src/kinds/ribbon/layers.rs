//! Where the layers of a ribbon filter lie (spec/filters.md 9.1 and 9.2).

use super::RibbonShape;
use crate::kind::bytes_of;
use crate::residue::Residue;
use crate::words::mulhi;

/// What follows from the slots of a window.
#[derive(Debug)]
pub(super) struct Width {
    pub(super) window: u32,
    /// Slots of a bucket.
    pub(super) bucket: u64,
    /// Buckets of a segment, at least.
    segment: u32,
    /// By the threshold of a bucket: keys whose window begins before that slot are passed on.
    pub(super) limits: [u64; 4],
}

pub(super) static W64: Width = Width {
    window: 64,
    bucket: 128,
    segment: 512,
    limits: [0, 16, 40, 128],
};

static W128: Width = Width {
    window: 128,
    bucket: 512,
    segment: 256,
    limits: [0, 40, 96, 512],
};

/// None if there are no such windows.
pub(super) fn width_of(window: u32) -> Option<&'static Width> {
    [&W64, &W128].into_iter().find(|w| w.window == window)
}

impl Width {
    fn segments(&self, buckets: u32) -> u32 {
        (buckets / self.segment).max(1)
    }

    /// Whether all segments of a layer have equally many buckets.
    pub(super) fn is_whole(&self, buckets: u32) -> bool {
        buckets % self.segments(buckets) == 0
    }

    pub(super) fn window_bytes(&self) -> u64 {
        u64::from(self.window / 8)
    }
}

/// A layer that has buckets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    columns: u32,
    segments: u32,
    /// Slots of a segment.
    pub(super) segment_slots: u64,
    /// Where a window may begin, in a segment.
    pub(super) places: u64,
    /// Blocks that have one column less than the others.
    narrow_blocks: u64,
    /// Where its blocks begin in the payload.
    at: u64,
    /// Buckets of the layers before it.
    pub(super) earlier: u64,
}

impl Layer {
    fn new(shape: &RibbonShape, width: &Width, buckets: u32, at: u64, earlier: u64) -> Self {
        let segments = width.segments(buckets);
        let segment_slots = u64::from(buckets / segments) * width.bucket;
        let places = segment_slots - u64::from(width.window) + 1;
        let all = u128::from(segments) * u128::from(places);
        let narrow = (all * u128::from(shape.narrow)) >> 32;
        Layer {
            columns: shape.columns,
            segments,
            segment_slots,
            places,
            narrow_blocks: narrow as u64 / u64::from(width.window),
            at,
            earlier,
        }
    }

    /// Slots of all its buckets.
    pub(super) fn slots(&self) -> u64 {
        u64::from(self.segments) * self.segment_slots
    }

    /// The slot where the window of a hash begins.
    #[inline]
    pub(super) fn place(&self, h: u64) -> u64 {
        let product = u128::from(h) * u128::from(self.segments);
        let segment = (product >> 64) as u64;
        segment * self.segment_slots + mulhi(product as u64, self.places)
    }

    pub(super) fn columns_of(&self, block: u64) -> u32 {
        self.columns - u32::from(block < self.narrow_blocks)
    }

    /// Where a block begins in the payload.
    pub(super) fn block_at(&self, width: &Width, block: u64) -> u64 {
        let columns = block * u64::from(self.columns) - block.min(self.narrow_blocks);
        self.at + width.window_bytes() * columns
    }

    fn end(&self, width: &Width) -> u64 {
        self.block_at(width, self.slots() / u64::from(width.window))
    }
}

/// The last layer, which has no thresholds: windows of 64, column after column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub(super) slots: u64,
    pub(super) columns: u32,
    /// Where a window may begin.
    pub(super) places: u64,
    /// Slots that have one column less.
    pub(super) narrow_slots: u64,
    at: u64,
}

impl Last {
    fn new(slots: u64, shape: &RibbonShape, at: u64) -> Self {
        let places = slots.max(64) - 63;
        Last {
            slots,
            columns: shape.columns,
            places,
            narrow_slots: (places * u64::from(shape.narrow)) >> 32,
            at,
        }
    }

    /// Slots of a window.
    pub(super) fn window(&self) -> u32 {
        self.slots.min(64) as u32
    }

    pub(super) fn columns_of(&self, start: u64) -> u32 {
        self.columns - u32::from(start < self.narrow_slots)
    }

    /// The first bit of a window in a column, of the payload.
    pub(super) fn bit_at(&self, start: u64, column: u32) -> u64 {
        let missing = if column + 1 == self.columns {
            self.narrow_slots
        } else {
            0
        };
        8 * self.at + u64::from(column) * self.slots + start - missing
    }

    fn end(&self) -> u64 {
        self.at + bytes_of(u64::from(self.columns) * self.slots - self.narrow_slots)
    }
}

/// The layers that have buckets, in their order.
#[inline]
pub(super) fn layers<'a>(
    shape: &'a RibbonShape,
    width: &'a Width,
) -> impl Iterator<Item = Layer> + 'a {
    let (mut at, mut earlier) = (0, 0);
    let buckets = shape.buckets.iter().take_while(|b| **b > 0);
    buckets.map(move |buckets| {
        let layer = Layer::new(shape, width, *buckets, at, earlier);
        at = layer.end(width);
        earlier += u64::from(*buckets);
        layer
    })
}

/// What comes after the blocks of all layers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) thresholds_at: u64,
    /// What the layers pass on, as a layer or as hashes: one of the two is empty.
    pub(super) last: Last,
    pub(super) hashes: Residue,
    /// The bytes of all parts.
    pub(super) length: u64,
}

impl Parts {
    pub(super) fn new(shape: &RibbonShape, width: &Width) -> Self {
        let thresholds_at = layers(shape, width).last().map_or(0, |l| l.end(width));
        let buckets: u64 = shape.buckets.iter().map(|b| u64::from(*b)).sum();
        let rest_at = thresholds_at + bytes_of(2 * buckets);
        let rest = u64::from(shape.rest);
        let (slots, kept) = if shape.kept { (0, rest) } else { (rest, 0) };
        let last = Last::new(slots, shape, rest_at);
        Parts {
            thresholds_at,
            last,
            hashes: Residue {
                at: rest_at,
                count: kept,
            },
            length: last.end() + 8 * kept,
        }
    }
}
