//! Decodes AAC, FLAC and Vorbis by Symphonia, packet by packet. An instance of the module holds one decoder.

use std::cell::RefCell;

use symphonia_bundle_flac::FlacDecoder;
use symphonia_codec_aac::AacDecoder;
use symphonia_codec_vorbis::VorbisDecoder;
use symphonia_core::codecs::audio::well_known::{CODEC_ID_AAC, CODEC_ID_FLAC, CODEC_ID_VORBIS};
use symphonia_core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia_core::errors::Result;
use symphonia_core::packet::PacketRef;
use symphonia_core::units::{Duration, Timestamp};

#[derive(Default)]
struct State {
    /// What the caller wrote: a description, or a packet.
    input: Vec<u8>,
    decoder: Option<Box<dyn AudioDecoder>>,
    channels: Vec<Vec<f32>>,
}

thread_local!(static STATE: RefCell<State> = RefCell::default());

/// The address at which the caller writes that many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.resize(bytes, 0);
        state.input.as_mut_ptr()
    })
}

/// Opens a decoder (0: AAC, 1: FLAC, 2: Vorbis) for sound as the input describes it; false: there is none for it.
#[unsafe(no_mangle)]
pub extern "C" fn open(codec: u32) -> bool {
    STATE.with_borrow_mut(|state| {
        state.decoder = decoder_for(codec, state.input.as_slice().into()).ok();
        state.decoder.is_some()
    })
}

fn decoder_for(codec: u32, description: Box<[u8]>) -> Result<Box<dyn AudioDecoder>> {
    let options = AudioDecoderOptions::default();
    let mut parameters = AudioCodecParameters::new();
    parameters.with_extra_data(description);
    Ok(match codec {
        0 => Box::new(AacDecoder::try_new(parameters.for_codec(CODEC_ID_AAC), &options)?),
        1 => Box::new(FlacDecoder::try_new(parameters.for_codec(CODEC_ID_FLAC), &options)?),
        _ => Box::new(VorbisDecoder::try_new(parameters.for_codec(CODEC_ID_VORBIS), &options)?),
    })
}

/// Decodes the packet in the input. The samples of each channel; -1: the packet is damaged.
#[unsafe(no_mangle)]
pub extern "C" fn decode() -> i32 {
    STATE.with_borrow_mut(|state| {
        let Some(decoder) = &mut state.decoder else { return -1 };
        let packet = PacketRef::new(0, Timestamp::ZERO, Duration::ZERO, &state.input);
        let Ok(sound) = decoder.decode_ref(&packet) else { return -1 };
        sound.copy_to_vecs_planar(&mut state.channels);
        sound.frames() as i32
    })
}

/// Channels of the sound that was decoded last.
#[unsafe(no_mangle)]
pub extern "C" fn channels() -> usize {
    STATE.with_borrow(|state| state.channels.len())
}

/// The address of a channel's samples, from -1 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn channel(index: usize) -> *const f32 {
    STATE.with_borrow(|state| state.channels[index].as_ptr())
}
