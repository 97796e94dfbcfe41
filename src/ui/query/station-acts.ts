/** What the person may do at this device's packing station by a group. */
import { holdsAct, type StationAct } from '#contract/station-acts.ts'
import { useDevice } from '#ui/device/device-storage.ts'
import { useSession } from './session.ts'

export function useHoldsAct(act: StationAct): boolean {
  const session = useSession()
  const station = useDevice('packingStation') ?? ''
  return holdsAct(session?.user.acts ?? [], act, station)
}
