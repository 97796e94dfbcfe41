/** What scales send: USB scales by the HID usage tables (page 0x8D), and scales at a serial port by MT-SICS. */

export interface ScaleValue {
  state: 'stable' | 'moving' | 'over' | 'under' | 'fault'
  /** Grams; null where the scale shows no weight. */
  weight_g: number | null
  /** Grams of its smallest step. */
  division_g: number
}

/** HID Usage Tables, weighing devices: the codes of units that are read. */
const hidUnits: Readonly<Record<number, number>> = { 2: 1, 3: 1_000, 11: 28.349_523_125, 12: 453.592_37 }
const hidStates: Readonly<Record<number, ScaleValue['state']>> = {
  1: 'fault',
  2: 'stable',
  3: 'moving',
  4: 'stable',
  5: 'under',
  6: 'over',
  7: 'fault',
  8: 'fault',
}

/** A report without its id: status, unit, exponent with sign, then the weight, least byte first. Undefined where it cannot be read. */
export function readHidReport(data: DataView): ScaleValue | undefined {
  if (data.byteLength < 5) return undefined
  const state = hidStates[data.getUint8(0)]
  const unit = hidUnits[data.getUint8(1)]
  if (!state) return undefined
  if (state !== 'stable' && state !== 'moving') return { state, weight_g: null, division_g: 1 }
  if (unit === undefined) return undefined
  const step = unit * 10 ** data.getInt8(2)
  return { state, weight_g: Math.round(data.getUint16(3, true) * step), division_g: Math.max(1, step) }
}

const sicsUnits: Readonly<Record<string, number>> = { g: 1, kg: 1_000, oz: 28.349_523_125, lb: 453.592_37 }

/** An answer to `SI`, such as `S S     1.234 kg`. Undefined where it is none. */
export function readSics(line: string): ScaleValue | undefined {
  const nothing = (state: ScaleValue['state']): ScaleValue => ({ state, weight_g: null, division_g: 1 })
  if (line === 'S +') return nothing('over')
  if (line === 'S -') return nothing('under')
  if (line === 'S I') return nothing('moving')
  if (line === 'ES' || line === 'EL') return nothing('fault')
  const [, state, number = '', unit = ''] = /^S ([SD]) +(-?\d{1,8}(?:\.\d{1,4})?) ?(kg|g|oz|lb)$/.exec(line) ?? []
  const grams = sicsUnits[unit]
  if (state === undefined || grams === undefined) return undefined
  const decimals = number.split('.')[1]?.length ?? 0
  return {
    state: Number(number) < 0 ? 'under' : state === 'S' ? 'stable' : 'moving',
    weight_g: Number(number) < 0 ? null : Math.round(Number(number) * grams),
    division_g: Math.max(1, grams / 10 ** decimals),
  }
}

/** A line of a scale is shorter; what is longer is noise, and is dropped up to the next end of a line. */
const longestLine = 64

/** Whole lines of what a port sends, however it is cut. */
export function lineReader(): (bytes: Uint8Array) => string[] {
  let rest = ''
  let noise = false
  return bytes => {
    const parts = (rest + String.fromCharCode(...bytes)).split(/\r\n|\r|\n/)
    rest = parts.pop() ?? ''
    const lines = parts.filter((line, at) => line !== '' && line.length <= longestLine && !(noise && at === 0))
    noise = parts.length === 0 ? noise || rest.length > longestLine : rest.length > longestLine
    if (rest.length > longestLine) rest = ''
    return lines
  }
}

/** Milliseconds after which a reading says nothing about now. */
const lastsMs = 1_000

export interface Settled {
  weight_g: number | null
  stable: boolean
  state: ScaleValue['state']
}

/** A weight is stable once three readings agree within one step of the scale. */
export function settler(): (value: ScaleValue, now: number) => Settled {
  let readings: { value: ScaleValue; at: number }[] = []
  return (value, at) => {
    readings = value.state === 'stable' ? [...readings.filter(one => at - one.at <= lastsMs), { value, at }].slice(-3) : []
    const weights = readings.map(one => one.value.weight_g ?? 0)
    const stable = readings.length === 3 && Math.max(...weights) - Math.min(...weights) <= value.division_g
    return { weight_g: value.weight_g, stable, state: value.state }
  }
}
