/** How close the rows of lists stand on this device. */
import { type DeviceValue, useDevice } from '#ui/device/device-storage.ts'

export type Density = DeviceValue<'density'>

/** Pixels of a row, with its line; `--row` of theme.css is the same. */
export const rowHeights: Readonly<Record<Density, number>> = { compact: 32, normal: 36, comfortable: 40 }

export const useDensity = (): Density => useDevice('density') ?? 'normal'
