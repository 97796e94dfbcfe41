/** Accounts of devices that many people share: kiosks, packing stations, boards. */
import type { Permission } from './access.ts'

export const accountKinds = ['person', 'device'] as const
export type AccountKind = (typeof accountKinds)[number]

/** All that an account of a device may have. */
export const deviceCodes = ['scan', 'pick', 'punchclock', 'dashboard'] as const satisfies readonly Permission[]

/** What devices usually are. */
export const devicePresets = {
  kiosk: ['punchclock'],
  station: ['scan'],
  board: ['dashboard'],
} as const satisfies Record<string, readonly (typeof deviceCodes)[number][]>
export type DevicePreset = keyof typeof devicePresets
