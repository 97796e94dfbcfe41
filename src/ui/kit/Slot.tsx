/** Parts of a screen that another feature provides. `app/` registers them, so that the screen does not import the feature. */
import { type ComponentType, lazy, Suspense } from 'react'

/** `topBar`: beside the station, in the bar of every page. `palette`: sources of the command palette. `product`: under the form of a product. `user`: under that of a user. `shipment`: beside a shipment of an order. `packing`: about the order that is open at a station. `over`: over every page of a signed-in person. `account`: in the own settings. `settings`: under the title of a settings page. */
type SlotName = 'topBar' | 'palette' | 'product' | 'user' | 'shipment' | 'packing' | 'over' | 'account' | 'settings'

const parts: Record<SlotName, ComponentType[]> = {
  topBar: [],
  palette: [],
  product: [],
  user: [],
  shipment: [],
  packing: [],
  over: [],
  account: [],
  settings: [],
}

/** Adds a part to a slot. Its code is loaded when the slot is first shown; without a network the page goes on without the part. */
export function registerPart(slot: SlotName, load: () => Promise<ComponentType>): void {
  parts[slot].push(lazyPart(load))
}

/** Its code is loaded when it is first shown; until then, and without a network, there is nothing. */
export const lazyPart = (load: () => Promise<ComponentType>): ComponentType => lazy(async () => ({ default: await untilLoaded(load) }))

/** Tries again after 2, 4, 8 … 64 seconds. */
async function untilLoaded(load: () => Promise<ComponentType>): Promise<ComponentType> {
  for (let seconds = 2; ; seconds = Math.min(64, seconds * 2))
    try {
      return await load()
    } catch {
      await new Promise(resolve => setTimeout(resolve, seconds * 1_000))
    }
}

export function Slot({ name }: { name: SlotName }) {
  return (
    <>
      {parts[name].map((Part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are registered once, in a fixed order
        <Suspense key={index} fallback={null}>
          <Part />
        </Suspense>
      ))}
    </>
  )
}
