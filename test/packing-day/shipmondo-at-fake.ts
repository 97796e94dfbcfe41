/** Loaded before the program by the packing day: Shipmondo is asked at its fake. */
import { withCourier } from '#integrations/couriers/couriers.ts'
import { shipmondoAt } from '#integrations/couriers/shipmondo/shipmondo.ts'

const host = { url: process.env.SHIPMONDO_FAKE_URL ?? '' }
withCourier(shipmondoAt({ live: host, sandbox: host }))
