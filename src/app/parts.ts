/** Parts of screens that other features provide, each loaded when its place is first shown. */
import { afterFirstScreen } from '#ui/kit/first-screen.ts'
import { registerPart } from '#ui/kit/Slot.tsx'
import { onReconnect } from '#ui/query/change-stream.ts'
import { resumeSession } from '#ui/query/session.ts'

registerPart(
  'topBar',
  afterFirstScreen(() => import('#features/printing/stations/PrinterState.tsx').then(module => module.PrinterState)),
)
registerPart(
  'topBar',
  afterFirstScreen(() => import('#features/packing/approval/ApprovalRequests.tsx').then(module => module.ApprovalRequests)),
)
registerPart(
  'topBar',
  afterFirstScreen(() => import('#features/company/users/SecondFactorReminder.tsx').then(module => module.SecondFactorReminder)),
)
registerPart('palette', () => import('#features/desk/palette/palette-sources.client.ts').then(module => module.PaletteSources))
registerPart('product', () => import('#features/catalog/crates/ProductCrateRules.tsx').then(module => module.ProductCrateRules))
registerPart('user', () => import('#features/people/employees/UserEmployment.tsx').then(module => module.UserEmployment))
registerPart('user', () => import('#features/people/staff-data/StaffData.tsx').then(module => module.StaffData))
registerPart('account', () => import('#features/company/sign-in-provider/MyIdentities.tsx').then(module => module.MyIdentities))
registerPart('account', () => import('#features/company/announcements/MyAgreements.tsx').then(module => module.MyAgreements))
registerPart('settings', () => import('#features/company/companies/LastSettingChange.tsx').then(module => module.LastSettingChange))
registerPart(
  'over',
  afterFirstScreen(() => import('#features/company/announcements/AnnouncementGate.tsx').then(module => module.AnnouncementGate)),
)
registerPart('shipment', () => import('#features/packing/packing-photos/OrderPhotos.tsx').then(module => module.ShipmentPhotos))
registerPart('packing', () => import('#features/packing/station/CrateLine.tsx').then(module => module.CrateLine))

// The server ends the stream of a person whose rights change: the menu follows.
onReconnect(() => void resumeSession())
