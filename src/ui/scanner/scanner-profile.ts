/** How this station's scanner is set up: kept on the device, because it belongs to the station and not to the person. */
import { isFlag, isNumber, isText, isWholeNumber } from '#domain/guards.ts'
import { isOneOf, isRecord } from '#domain/objects.ts'
import { layoutNames } from './keyboard-layouts.ts'

/**
 * `layout`: the keyboard layout the scanner is set to; `pc` takes the characters as the PC makes them; `auto` (not calibrated yet) does that too, but
 * reads a code that only makes sense on a US scanner as such.
 * `prefix`: text the scanner puts before every code. `start_key`, `end_key`: keys (`KeyboardEvent.code`, such as F18) it sends around a code.
 * `suffix`: what ends a code; Enter and Tab are always understood, `none` also ends a code after 60 ms of silence.
 * `paste`: the scanner pastes its codes. `volume`: of the sounds, 0 to 1.
 */
export interface ScannerProfile {
  layout: (typeof layouts)[number]
  prefix: string
  start_key: string
  end_key: string
  suffix: (typeof suffixes)[number]
  minimum_length: number
  paste: boolean
  volume: number
}
const layouts = ['auto', 'pc', ...layoutNames] as const
const suffixes = ['enter', 'tab', 'none'] as const

const shortText =
  (most: number) =>
  (value: unknown): value is string =>
    isText(value) && value.length <= most
const isMinimumLength = (value: unknown): value is number => isWholeNumber(value) && value >= 1 && value <= 32
const isVolume = (value: unknown): value is number => isNumber(value) && value >= 0 && value <= 1

/** The station's profile out of what the device remembers under `scanner`; what is missing there or wrong is as before calibration. */
export function profileFrom(stored: unknown): ScannerProfile {
  const { layout, prefix, start_key, end_key, suffix, minimum_length, paste, volume } = isRecord(stored) ? stored : {}
  return {
    layout: isOneOf(layouts, layout) ? layout : 'auto',
    prefix: shortText(8)(prefix) ? prefix : '',
    start_key: shortText(20)(start_key) ? start_key : '',
    end_key: shortText(20)(end_key) ? end_key : '',
    suffix: isOneOf(suffixes, suffix) ? suffix : 'enter',
    minimum_length: isMinimumLength(minimum_length) ? minimum_length : 4,
    paste: isFlag(paste) ? paste : false,
    volume: isVolume(volume) ? volume : 0.6,
  }
}

export const uncalibrated: ScannerProfile = profileFrom({})
