/** What the packer hears: seven sounds that can be distinguished through a running conveyor, made by the browser itself. */

/** `at` and `lasts` in seconds, `pitch` in Hz. */
interface Note {
  at: number
  lasts: number
  pitch: number
  wave: OscillatorType
  loudness: number
}

const note = (at: number, lasts: number, pitch: number, wave: OscillatorType = 'triangle', loudness = 0.8): Note => ({
  at,
  lasts,
  pitch,
  wave,
  loudness,
})

/** Rising is good, low and rough is wrong, two alternating pitches ask for attention. */
export const sounds = {
  ok: [note(0, 0.08, 1320)],
  line: [note(0, 0.08, 1047), note(0.09, 0.13, 1568)],
  done: [note(0, 0.1, 784), note(0.11, 0.1, 988), note(0.22, 0.1, 1175), note(0.33, 0.3, 1568)],
  error: [note(0, 0.18, 160, 'sawtooth', 0.7), note(0.24, 0.28, 130, 'sawtooth', 0.7)],
  wrong_shop: [
    note(0, 0.14, 160, 'sawtooth', 0.7),
    note(0.18, 0.14, 240, 'sawtooth', 0.7),
    note(0.36, 0.14, 160, 'sawtooth', 0.7),
    note(0.54, 0.28, 120, 'sawtooth', 0.7),
  ],
  ignored: [note(0, 0.04, 330, 'sine', 0.3)],
  attention: [note(0, 0.12, 880), note(0.14, 0.12, 660), note(0.28, 0.12, 880), note(0.42, 0.12, 660)],
} as const satisfies Record<string, readonly Note[]>
export type Sound = keyof typeof sounds

export interface Sounds {
  /** Plays now, or not at all: an answer that comes late belongs to another scan. A silent browser is no error. */
  play(sound: Sound): void
  /** 0 to 1. */
  setVolume(volume: number): void
  /** Whether the browser lets it be heard now. */
  isReady(): boolean
  stop(): void
}

/** Browsers stay silent until somebody touched the page or struck a key; the first of these starts the sounds. */
export function createSounds(volume: number, page: Window & typeof globalThis = window): Sounds {
  let context: AudioContext | undefined
  let loudness = volume
  const open = () => {
    try {
      context ??= new page.AudioContext({ latencyHint: 'interactive' })
      if (context.state !== 'running') context.resume().catch(() => undefined)
    } catch {
      // No sound card, or none allowed: colour and word say the same.
    }
    return context
  }
  const gestures = ['pointerdown', 'keydown'] as const
  const unlock = () => {
    if (open()?.state === 'running') forget()
  }
  const forget = () => {
    for (const gesture of gestures) page.removeEventListener(gesture, unlock, { capture: true })
  }
  // Before the scanner's listener, which keeps keys from everybody after it.
  for (const gesture of gestures) page.addEventListener(gesture, unlock, { capture: true, passive: true })

  function sound(context: AudioContext, name: Sound) {
    for (const { at, lasts, pitch, wave, loudness: share } of sounds[name]) {
      const from = context.currentTime + at
      const oscillator = new OscillatorNode(context, { type: wave, frequency: pitch })
      const gain = new GainNode(context, { gain: 0 })
      // Rising and falling within 8 ms, or the loudspeaker clicks.
      gain.gain.setValueAtTime(0, from)
      gain.gain.linearRampToValueAtTime(share * loudness, from + 0.008)
      gain.gain.setValueAtTime(share * loudness, from + lasts - 0.008)
      gain.gain.linearRampToValueAtTime(0, from + lasts)
      oscillator.connect(gain).connect(context.destination)
      oscillator.start(from)
      oscillator.stop(from + lasts)
    }
  }

  return {
    play(name) {
      if (loudness === 0) return
      const now = open()
      if (!now) return
      if (now.state === 'running') return sound(now, name)
      const asked = page.performance.now()
      now
        .resume()
        .then(() => {
          if (page.performance.now() - asked < 200) sound(now, name)
        })
        .catch(() => undefined)
    },
    setVolume(next) {
      loudness = Math.min(1, Math.max(0, next))
    },
    isReady: () => context?.state === 'running',
    stop() {
      forget()
      context?.close().catch(() => undefined)
      context = undefined
    },
  }
}
