/** Every courier that is asked over HTTP, with its fake, an account and parties that it takes: for tests that run over all of them. */
import { bringAccount, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { budbeeAccount, openFakeBudbee } from '#integrations/couriers/budbee/budbee.fake.ts'
import { budbeeAt } from '#integrations/couriers/budbee/budbee.ts'
import type { Courier } from '#integrations/couriers/courier.ts'
import type { FakeCourierServer } from '#integrations/couriers/courier-server.fake.ts'
import { daoAccount, openFakeDao } from '#integrations/couriers/dao/dao.fake.ts'
import { daoAt } from '#integrations/couriers/dao/dao.ts'
import { dhlAccount, openFakeDhl } from '#integrations/couriers/dhl_de/dhl_de.fake.ts'
import { dhlAt } from '#integrations/couriers/dhl_de/dhl_de.ts'
import { dpdAccount, openFakeDpd } from '#integrations/couriers/dpd/dpd.fake.ts'
import { dpdAt } from '#integrations/couriers/dpd/dpd.ts'
import { fedexAccount, openFakeFedex } from '#integrations/couriers/fedex/fedex.fake.ts'
import { fedexAt } from '#integrations/couriers/fedex/fedex.ts'
import { denmarkAccount, openFakeGls, shipitAccount } from '#integrations/couriers/gls/gls.fake.ts'
import { glsAt } from '#integrations/couriers/gls/gls.ts'
import { helthjemAccount, openFakeHelthjem } from '#integrations/couriers/helthjem/helthjem.fake.ts'
import { helthjemAt } from '#integrations/couriers/helthjem/helthjem.ts'
import { instaboxAccount, openFakeInstabox } from '#integrations/couriers/instabox/instabox.fake.ts'
import { instaboxAt } from '#integrations/couriers/instabox/instabox.ts'
import { openFakePosti, postiAccount } from '#integrations/couriers/posti/posti.fake.ts'
import { postiAt } from '#integrations/couriers/posti/posti.ts'
import { openFakePostnord, postnordAccount } from '#integrations/couriers/postnord/postnord.fake.ts'
import { postnordAt } from '#integrations/couriers/postnord/postnord.ts'
import { openFakeShipmondo, shipmondoAccount } from '#integrations/couriers/shipmondo/shipmondo.fake.ts'
import { shipmondoAt } from '#integrations/couriers/shipmondo/shipmondo.ts'
import { openFakeUps, upsAccount } from '#integrations/couriers/ups/ups.fake.ts'
import { upsAt } from '#integrations/couriers/ups/ups.ts'

export interface OpenCourier {
  courier: Courier
  server: FakeCourierServer
  account: Record<string, string>
  method: string
  /** References of all parcels that the courier has booked. */
  booked: () => string[]
  /** The tokens that it gave are taken no more. */
  expire?: () => void
  close: () => Promise<void>
}

/** Fields that differ from those of the usual parties. */
interface Ends {
  sender?: object
  recipient?: object
}

const germany = { postcode: '53113', city: 'Bonn', country: 'DE', address1: 'Kurt-Schumacher-Str. 20' }
const copenhagen = { address1: 'Nørrebrogade 112, 3. tv', postcode: '2200', city: 'København N' }
const norway = { postcode: '0161', city: 'Oslo', country: 'NO', address1: 'Storgata 15A', phone: '+47 21 34 56 78' }

export const courierTable: Readonly<Record<string, { open: () => Promise<OpenCourier>; ends?: Ends }>> = {
  Bring: {
    async open() {
      const { server, parcels, close } = await openFakeBring()
      const account = { ...bringAccount, client_url: 'https://shop.example' }
      return {
        courier: bringAt({ url: server.url }),
        server,
        account,
        method: 'PICKUP_PARCEL',
        booked: () => parcels.map(one => one.reference),
        close,
      }
    },
  },
  Budbee: {
    ends: { recipient: copenhagen },
    async open() {
      const { server, parcels, close } = await openFakeBudbee()
      const host = { url: server.url }
      return {
        courier: budbeeAt({ live: host, sandbox: host }),
        server,
        account: { ...budbeeAccount, mode: 'live' },
        method: 'home',
        booked: () => parcels.map(one => one.reference),
        close,
      }
    },
  },
  DAO: {
    async open() {
      const { server, parcels, close } = await openFakeDao()
      return {
        courier: daoAt({ url: server.url }),
        server,
        account: { ...daoAccount, mode: 'live' },
        method: 'home',
        booked: () => parcels.map(one => one.reference),
        close,
      }
    },
  },
  DHL: {
    ends: { sender: { ...germany, address1: 'Sträßchensweg 10' }, recipient: germany },
    async open() {
      const { server, parcels, close } = await openFakeDhl()
      const { url } = server
      const courier = dhlAt({ live: { url }, test: { url: `${url}/sandbox` }, locations: { url } })
      return {
        courier,
        server,
        account: { ...dhlAccount, mode: 'live' },
        method: 'V01PAK',
        booked: () => parcels.map(one => one.reference),
        close,
      }
    },
  },
  DPD: {
    async open() {
      const fake = await openFakeDpd()
      const host = { url: fake.server.url }
      return {
        courier: dpdAt({ live: host, test: host }),
        server: fake.server,
        account: dpdAccount,
        method: 'classic',
        booked: () => fake.parcels.map(one => one.reference),
        expire: () => fake.tokens.clear(),
        close: fake.close,
      }
    },
  },
  FedEx: {
    ends: { recipient: germany },
    async open() {
      const fake = await openFakeFedex()
      const host = { url: fake.server.url }
      return {
        courier: fedexAt({ live: host, sandbox: host }),
        server: fake.server,
        account: fedexAccount,
        method: 'INTERNATIONAL_ECONOMY',
        booked: () => fake.parcels.map(one => one.reference),
        expire: () => fake.tokens.clear(),
        close: fake.close,
      }
    },
  },
  'GLS ShipIT': {
    async open() {
      const fake = await openFakeGls()
      const { url } = fake.server
      const courier = glsAt({ group: { url }, sandbox: { url }, denmark: { url }, shops: { url } })
      return {
        courier,
        server: fake.server,
        account: { ...shipitAccount, mode: 'live' },
        method: 'home',
        booked: () => fake.parcels.map(one => one.reference),
        expire: () => fake.expireTokens(),
        close: fake.close,
      }
    },
  },
  'GLS Denmark': {
    async open() {
      const fake = await openFakeGls()
      const { url } = fake.server
      const courier = glsAt({ group: { url }, sandbox: { url }, denmark: { url }, shops: { url } })
      return {
        courier,
        server: fake.server,
        account: { ...denmarkAccount, mode: 'live' },
        method: 'home',
        booked: () => fake.parcels.map(one => one.reference),
        close: fake.close,
      }
    },
  },
  helthjem: {
    ends: { sender: { ...norway, address1: 'Toveien 19', postcode: '1540', city: 'Vestby' }, recipient: norway },
    async open() {
      const fake = await openFakeHelthjem()
      const host = { url: fake.server.url }
      return {
        courier: helthjemAt({ live: host, test: host }),
        server: fake.server,
        account: { ...helthjemAccount, mode: 'live' },
        method: 'home',
        booked: () => fake.parcels.map(one => one.reference),
        expire: () => fake.expireTokens(),
        close: fake.close,
      }
    },
  },
  Instabox: {
    ends: { recipient: copenhagen },
    async open() {
      const { server, parcels, close } = await openFakeInstabox()
      const host = { url: server.url }
      const courier = instaboxAt({ login: host, availability: host, orders: host, labels: host })
      return { courier, server, account: instaboxAccount, method: 'locker', booked: () => parcels.map(one => one.order_number), close }
    },
  },
  Posti: {
    ends: { recipient: { postcode: '00100', city: 'Helsinki', country: 'FI', phone: '040 1234567' } },
    async open() {
      const { server, parcels, close } = await openFakePosti()
      const host = { login: { url: server.url }, gateway: { url: server.url } }
      return {
        courier: postiAt({ live: host, test: host }),
        server,
        account: postiAccount,
        method: 'PO2103',
        booked: () => parcels.map(one => one.contents),
        close,
      }
    },
  },
  PostNord: {
    async open() {
      const { server, parcels, close } = await openFakePostnord()
      const host = { url: server.url }
      return {
        courier: postnordAt({ live: host, test: host }),
        server,
        account: { ...postnordAccount, mode: 'live' },
        method: '19',
        booked: () => parcels.map(one => one.reference),
        close,
      }
    },
  },
  Shipmondo: {
    async open() {
      const { server, shipments, close } = await openFakeShipmondo()
      const host = { url: server.url }
      const booked = () => shipments.flatMap(one => one.numbers.map(() => one.reference))
      return { courier: shipmondoAt({ live: host, sandbox: host }), server, account: shipmondoAccount, method: 'GLSDK_HD', booked, close }
    },
  },
  UPS: {
    ends: { recipient: germany },
    async open() {
      const fake = await openFakeUps()
      const { url } = fake.server
      return {
        courier: upsAt({ live: { url }, test: { url: `${url}/cie` } }),
        server: fake.server,
        account: { ...upsAccount, mode: 'live' },
        method: '11',
        booked: () => fake.parcels.map(one => one.reference),
        expire: () => fake.revoke(),
        close: fake.close,
      }
    },
  },
}
