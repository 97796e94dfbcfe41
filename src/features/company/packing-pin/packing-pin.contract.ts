/** The packing PIN: it confirms what packers may do only with the consent of a lead. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { packingPinSchemas } from './packing-pin.schemas.ts'

export const packingPin = contract<typeof packingPinSchemas>({ name: 'packingPin', area: 'company', access: access.settings }).calls({
  pin: call('GET order_product_require_password/pin'),
  setPin: call('POST order_product_require_password/pin', { external: true }),
  removePin: call('DELETE order_product_require_password/pin'),
})
