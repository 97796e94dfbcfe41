/** Loaded before the product by the row of the couriers: Bring is asked at its fake. */
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'

withCourier(bringAt({ url: process.env.BENCH_BRING_URL ?? '' }))
