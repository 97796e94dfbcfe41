/** The one scale of this page; what reads it is loaded where parcels are weighed. */
import type { Scale } from './scale.client.ts'

let scale: Scale | undefined

export const currentScale = (): Scale | undefined => scale

export async function loadScale(): Promise<Scale> {
  const { openScale } = await import('./scale.client.ts')
  scale ??= openScale(navigator)
  await scale.restore()
  return scale
}
