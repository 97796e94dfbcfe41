/** Parts of a screen that another feature provides. `app/` registers them, so that the screen does not import the feature. */
import { type ComponentType, lazy, Suspense } from 'react'

/** `topBar`: beside the station, in the bar of every page. `companySettings`: sections of the company's settings page. `palette`: sources of the command palette. */
type SlotName = 'topBar' | 'companySettings' | 'palette'

const parts: Record<SlotName, ComponentType[]> = { topBar: [], companySettings: [], palette: [] }

/** Adds a part to a slot. Its code is loaded when the slot is first shown. */
export function registerPart(slot: SlotName, load: () => Promise<ComponentType>): void {
  parts[slot].push(lazy(async () => ({ default: await load() })))
}

export function Slot({ name }: { name: SlotName }) {
  return (
    <Suspense fallback={null}>
      {parts[name].map((Part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are registered once, in a fixed order
        <Part key={index} />
      ))}
    </Suspense>
  )
}
