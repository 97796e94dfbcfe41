/** How this station's scanner is set up: kept on the device, because it belongs to the station and not to the person. */
import * as z from 'zod'
import { layoutNames } from './keyboard-layouts.ts'

/**
 * `layout`: the keyboard layout the scanner is set to; `pc` takes the characters as the PC makes them; `auto` (not calibrated yet) does that too, but
 * reads a code that only makes sense on a US scanner as such.
 * `prefix`: text the scanner puts before every code. `start_key`, `end_key`: keys (`KeyboardEvent.code`, such as F18) it sends around a code.
 * `suffix`: what ends a code; Enter and Tab are always understood, `none` also ends a code after 60 ms of silence.
 * `paste`: the scanner pastes its codes. `volume`: of the sounds, 0 to 1.
 */
export const ScannerProfile = z.object({
  layout: z.enum(['auto', 'pc', ...layoutNames]).catch('auto'),
  prefix: z.string().max(8).catch(''),
  start_key: z.string().max(20).catch(''),
  end_key: z.string().max(20).catch(''),
  suffix: z.enum(['enter', 'tab', 'none']).catch('enter'),
  minimum_length: z.int().min(1).max(32).catch(4),
  paste: z.boolean().catch(false),
  volume: z.number().min(0).max(1).catch(0.6),
})
export type ScannerProfile = z.infer<typeof ScannerProfile>

export const uncalibrated: ScannerProfile = ScannerProfile.parse({})

/** The station's profile out of what the device remembers under `scanner`. Whatever stands there, a usable profile comes back. */
export function profileFrom(stored: unknown): ScannerProfile {
  return ScannerProfile.safeParse(stored).data ?? uncalibrated
}
