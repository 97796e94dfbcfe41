/** DAO's scripts on the loopback, as its open-source clients use them. Holds its own books. The numbers of errors are invented. */
import * as z from 'zod'
import { sscc } from '#domain/gs1.ts'
import { type FakeCourierServer, type FakeReply, type FakeRequest, fakePdf, openFakeCourier } from '../courier-server.fake.ts'

const text = z.string().trim().min(1)
const whole = z.string().regex(/^[1-9]\d*$/)
const mobile = z.string().regex(/^\d{8}$/)
const account = { kundeid: text, kode: text, format: z.literal('json') }
const recipient = { postnr: text, adresse: text, navn: text, mobil: mobile.optional(), email: z.email().optional() }
const reference = { faktura: text.optional(), test: z.literal('1').optional() }
const size = { l: whole.optional(), b: whole.optional(), h: whole.optional() }
const order = {
  ...account,
  ...recipient,
  ...reference,
  ...size,
  vaegt: whole,
  afsenderid: text.optional(),
  dato: z.iso.date().optional(),
}

/** What each script takes; a parameter of another name is refused. */
const scripts = {
  '/DAODirekte/leveringsordre.php': z
    .strictObject({ ...order, sameday: z.literal('1').optional() })
    .refine(({ dato, sameday }) => (dato === undefined) !== (sameday === undefined), 'dato or sameday'),
  '/DAOPakkeshop/leveringsordre.php': z.strictObject({ ...order, dato: z.iso.date(), shopid: z.string().regex(/^\d+$/) }),
  '/DAOPakkeshop/returordre.php': z.strictObject({
    ...account,
    ...recipient,
    ...reference,
    type: z.enum(['labelless', 'withlabel']),
    afsender: text,
    afs_mobil: mobile.optional(),
    afs_email: z.email().optional(),
  }),
  '/DAOPakkeshop/FindPakkeshop.php': z.strictObject({ ...account, postnr: text, adresse: text.optional(), antal: whole.optional() }),
  '/HentLabel.php': z.strictObject({ ...account, stregkode: text, papir: z.enum(['100x150', '150x100', 'A4Foldable']) }),
  '/AnnullerePakke.php': z.strictObject({ ...account, stregkode: text }),
  '/TrackNTrace_v2.php': z.strictObject({ ...account, stregkode: text, sprog: z.enum(['DA', 'EN']).optional() }),
} as const
type Script = keyof typeof scripts

interface FakeParcel {
  reference: string
  number: string
  script: string
  parameters: Record<string, string | undefined>
  scanned: boolean
  cancelled: boolean
}

export interface FakeDao {
  server: FakeCourierServer
  parcels: FakeParcel[]
  /** The label cannot be fetched. */
  withoutLabels: boolean
  close(): Promise<void>
}

export const daoAccount = { customer_no: '1234', key: 'abc9def8ghi7' }

const failed = (fejlkode: number | string, fejltekst: string): FakeReply => ({ body: { status: 'FEJL', fejlkode, fejltekst } })
const done = (resultat: unknown): FakeReply => ({ body: { status: 'OK', fejlkode: '', fejltekst: '', resultat } })

export async function openFakeDao(): Promise<FakeDao> {
  let next = 1
  const fake: FakeDao = {
    server: await openFakeCourier(answer, changes),
    parcels: [],
    withoutLabels: false,
    close: () => fake.server.close(),
  }

  function answer({ method, path, query }: FakeRequest): FakeReply {
    if (method !== 'GET' || !(path in scripts)) return { status: 404, body: 'Not Found' }
    const written = Object.fromEntries(query)
    if (written.kundeid !== daoAccount.customer_no || written.kode !== daoAccount.key) return failed(100, 'Ugyldig kundeid eller kode')
    const script = path as Script
    const read = scripts[script].safeParse(written)
    if (!read.success) return failed('101', `Ugyldig forespørgsel: ${z.prettifyError(read.error)}`)
    const parameters: Record<string, string | undefined> = read.data
    if (script === '/DAOPakkeshop/FindPakkeshop.php') return shops(parameters)
    if (changes({ path }) && script !== '/AnnullerePakke.php') return book(script, parameters)
    const parcel = fake.parcels.find(one => one.number === parameters.stregkode)
    if (!parcel) return failed(140, 'Stregkoden findes ikke')
    if (script === '/TrackNTrace_v2.php') return tracking(parcel)
    if (script === '/AnnullerePakke.php') {
      if (parcel.scanned || parcel.cancelled) return failed(141, 'Pakken kan ikke annulleres')
      parcel.cancelled = true
      return done([])
    }
    if (fake.withoutLabels) return failed(142, 'Label kan ikke dannes')
    return { headers: { 'content-type': 'application/pdf' }, body: fakePdf(parcel.number) }
  }

  function book(script: Script, parameters: FakeParcel['parameters']): FakeReply {
    const { postnr = '', adresse = '', shopid, test, faktura = '' } = parameters
    if (!/^(DK)?[1-9]\d{3}$/.test(postnr) || adresse.includes('Ukendt')) return failed(110, 'Adressen findes ikke')
    if (shopid === '99999') return failed('120', 'Pakkeshoppen findes ikke')
    const label = { labelTekst1: 'A', labelTekst2: '12', labelTekst3: '', udsortering: 'E', ETA: '2026-11-18' }
    if (test) return done(label)
    const number = `00${sscc('5712696', 0, next++)}`
    fake.parcels.push({ reference: faktura, number, script, parameters, scanned: false, cancelled: false })
    return done({ stregkode: number, ...label })
  }

  function shops({ postnr = '' }: FakeParcel['parameters']): FakeReply {
    if (!/^[1-9]\d{3}$/.test(postnr)) return failed(130, 'Postnummeret findes ikke')
    const shop = (shopId: string, navn: string, afstand: number | string) => ({
      shopId,
      type: 'shop',
      navn,
      adresse: 'Torvet 1',
      postnr,
      bynavn: 'Vejle',
      udsortering: 'E',
      latitude: '55.7119',
      longitude: '9.539939',
      afstand,
      aabningstider: { man: '08:00 - 22:00', tir: '08:00 - 22:00', son: '' },
    })
    const udgangspunkt = { latitude: '55.7255', longtide: '9.57005' }
    return done({ pakkeshops: [shop('95784', 'Kiosk', 0.4), shop('95785', 'Supermarked', '2.652')], udgangspunkt, antal: '2' })
  }

  function tracking({ number }: FakeParcel): FakeReply {
    const event = (tidspunkt: string, haendelse: string | number, beskrivelse: string, sted: string) => ({
      tidspunkt,
      haendelse,
      beskrivelse,
      pakketype: 'direkte',
      sted,
      shopid: '',
    })
    const haendelser = [
      event('2026-11-18 06:05:00', '30', 'Delivered', 'Vejle'),
      event('18-11-2026 02:10:00', 20, '', 'Fredericia'),
      event('soon', '10', 'No time', ''),
      event('2026-07-17T21:00:00+02:00', '10', 'Received', ''),
    ]
    return done({ stregkode: number, pakketype: 'direkte', eta: '', modtager: {}, haendelser })
  }

  return fake
}

const changes = ({ path }: Pick<FakeRequest, 'path'>) => /\/(leveringsordre|returordre|AnnullerePakke)\.php$/.test(path)
