/** The ways out to a company's printers, and asking them what printers there are. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { hasCups } from '#integrations/printers/cups.ts'
import { type PrinterKind, PrinterRefused, type Printing, type RemotePrinter } from '#integrations/printers/printer.ts'
import { printing } from '#integrations/printers/printers.ts'
import type { RawPrinter } from '#integrations/printers/raw9100.ts'
import { readSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext, Services } from '#platform/http/feature-module.ts'
import { PrivateAddressError, resolveOutside } from '#platform/http/outside-request.ts'
import { storePrinters, storeStates } from './printers.commands.ts'
import { printersOf, rawPrintersOf } from './printers.queries.ts'
import type { PrinterList } from './printers.schemas.ts'

/** The name under which a company's PrintNode key is kept (`#platform/crypto/secret-store.ts`). */
export const printNodeSecret = 'printnode'

/** Milliseconds that one exchange with PrintNode may take: three of them fit into the lease of a print job. */
const patience = 8_000

/** What is needed to reach the printers of one company; read in a transaction, used outside of it. */
export interface Ways {
  operator_id: number
  company_id: number
  code: string
  apiKey: string | null
  is_main: boolean
  /** The label printers of the network. */
  raw: readonly (RawPrinter & { id: number })[]
}

/** With `kind`, only what printers of that kind need is read. */
export async function waysOf(
  db: Db,
  services: Services,
  { operator_id }: { operator_id: number },
  company_id: number,
  kind?: PrinterKind,
): Promise<Ways> {
  const needs = (one: PrinterKind) => kind === undefined || kind === one
  const [company, apiKey, raw] = await Promise.all([
    db.selectFrom('companies').select(['code', 'is_main']).where('id', '=', company_id).executeTakeFirstOrThrow(),
    needs('printnode') ? readSecret(db, services.vault, { operator_id, company_id, name: printNodeSecret }) : null,
    needs('raw9100') ? rawPrintersOf(db, company_id) : [],
  ])
  return { operator_id, company_id, ...company, apiKey, raw }
}

const accounts = new WeakMap<Services, Map<string, Printing>>()

/** One account is one object for each operator, so that what it knows of printers and turns is shared. */
export function providerOf(services: Services, kind: PrinterKind, ways: Ways): Printing {
  if (kind === 'file') return printing('file', { folder: join(services.config.data_dir, 'prints', ways.code) })
  if (kind === 'cups') return cupsOf(services)
  if (kind === 'raw9100') return printing('raw9100', { printers: ways.raw, resolve: host => addressOf(host, services) })
  if (kind === 'agent') throw new PrinterRefused('A print agent asks for its jobs itself')
  if (!ways.apiKey) throw new PrinterRefused('No PrintNode API key is set')
  const known = accounts.get(services) ?? new Map<string, Printing>()
  accounts.set(services, known)
  const mark = createHash('sha256').update(ways.apiKey).digest('hex')
  const provider = known.get(mark) ?? printing('printnode', { apiKey: ways.apiKey, baseUrl: services.config.printnode_url, patience })
  if (known.size > 1_000) known.clear()
  known.set(mark, provider)
  return provider
}

const cupsOfServices = new WeakMap<Services, Printing>()

function cupsOf(services: Services): Printing {
  const known = cupsOfServices.get(services) ?? printing('cups', { patience })
  cupsOfServices.set(services, known)
  return known
}

/** Networks that are not public are reached only where the deployment permits it, as for webhooks. */
async function addressOf(host: string, { config }: Services): Promise<string> {
  try {
    return (await resolveOutside(host, config.allowed_networks)).address
  } catch (error) {
    if (error instanceof PrivateAddressError)
      throw new PrinterRefused('The printer’s address is in a private network that this server may not reach')
    throw error
  }
}

/** The server's own CUPS would show and print the papers of strangers where several operators share the server. */
const mayUseCups = async ({ database }: Services, { is_main }: Ways): Promise<boolean> =>
  is_main &&
  (await hasCups()) &&
  (await database.systemRead('the number of operators is no tenant’s', db => db.selectFrom('operators').select('id').limit(2).execute()))
    .length === 1

interface Asked {
  at: number
  printnode: PrinterList['printnode']
  cups: PrinterList['cups']
  note: string | null
}
const asked = new WeakMap<Services, Map<number, Promise<Asked>>>()

/** Seconds during which a provider is not asked again. */
export const fresh = 30

/**
 * Asks the providers of a company for their printers and writes them down, unless that was done less than `within` seconds ago.
 * A provider that does not answer changes nothing: what is known of its printers stays. Companies must be in the context's scope.
 */
export function refreshPrinters(context: ExternalContext, company_id: number, within = fresh): Promise<Asked> {
  const { services } = context
  const rounds = asked.get(services) ?? new Map<number, Promise<Asked>>()
  asked.set(services, rounds)
  const before = rounds.get(company_id)
  const next = (async () => {
    const last = await before?.catch(() => undefined)
    if (last && Math.abs(context.now().getTime() - last.at) < within * 1_000) return last
    return ask(context, company_id)
  })()
  rounds.set(company_id, next)
  return next
}

async function ask(context: ExternalContext, company_id: number): Promise<Asked> {
  const { services, transaction, now } = context
  const ways = await transaction(({ db }) => waysOf(db, services, context.scope, company_id))
  const signal = AbortSignal.any([services.closing, AbortSignal.timeout(10_000)])
  const files = await providerOf(services, 'file', ways).printers(signal)
  let printnode: Asked['printnode'] = ways.apiKey ? 'connected' : 'no_key'
  let note: string | null = null
  const seen = ways.apiKey
    ? await providerOf(services, 'printnode', ways)
        .printers(signal)
        .catch((error: Error) => {
          printnode = error instanceof PrinterRefused ? 'refused' : 'unreachable'
          note = error.message
          return null
        })
    : []
  let cups: Asked['cups'] = (await mayUseCups(services, ways)) ? 'connected' : 'absent'
  const queues: RemotePrinter[] | null =
    cups === 'absent'
      ? []
      : await cupsOf(services)
          .printers(signal)
          .catch(() => {
            cups = 'unreachable'
            return null
          })
  const labelPrinters = ways.raw.length > 0 ? await providerOf(services, 'raw9100', ways).printers(signal) : []
  await transaction(async ({ db, notify }) => {
    const at = now()
    // Both in one order for every server, so that two askers never wait for each other.
    const changed = [
      await storePrinters(db, company_id, { kind: 'file' }, files, at),
      seen && (await storePrinters(db, company_id, { kind: 'printnode' }, seen, at)),
      queues && (await storePrinters(db, company_id, { kind: 'cups' }, queues, at)),
      await storeStates(db, ways.raw, labelPrinters),
    ]
    if (changed.includes(true)) notify('printer', undefined, company_id)
  })
  return { at: now().getTime(), printnode, cups, note }
}

export async function printerList(context: ExternalContext, within: number): Promise<PrinterList> {
  const company_id = context.scope.company_id
  const { at, printnode, cups, note } = await refreshPrinters(context, company_id, within)
  const printers = await context.transaction(({ db }) => printersOf(db, company_id))
  return { printers, printnode, cups, note, asked_at: new Date(at).toISOString() }
}
