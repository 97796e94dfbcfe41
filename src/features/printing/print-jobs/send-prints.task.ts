/** Sending print jobs: at most one try of a document is ever with a provider, whatever breaks in between. */
import { randomUUID } from 'node:crypto'
import { orNotFound } from '#contract/errors.ts'
import type { EventKind } from '#contract/events.ts'
import { errorOf } from '#domain/thrown.ts'
import { printedOn } from '#features/printing/printers/printers.commands.ts'
import { type KnownPrinter, printerById } from '#features/printing/printers/printers.queries.ts'
import { paperNamed } from '#features/printing/printers/printers.rules.ts'
import { providerOf, refreshPrinters, type Ways, waysOf } from '#features/printing/printers/providers.server.ts'
import { knowsKeys, PrinterRefused, PrinterUnavailable, type Printing } from '#integrations/printers/printer.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import { createContext } from '#platform/http/context.ts'
import type { Context, ExternalContext, Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { changePrint, claimPrint, endLeasesOfDead, followedPrint, type PrintChange } from './print-jobs.commands.ts'
import { bytesOfFile, duePrints, type PrintRow, pdfInstead, printJobById, printRowById, stopOfPrint } from './print-jobs.queries.ts'
import type { PrintJob } from './print-jobs.schemas.ts'

/** Seconds for which one try holds a job. Longer than the provider's patience, so that no one repeats what is still under way. */
const lease = 30
/** Seconds after which one try is broken off; the gate's three exchanges of eight seconds fit. */
const patience = 26
/** Seconds between tries while nothing could be submitted. */
const pauses = [2, 4, 8, 15, 30]
/** Seconds after which a job is asked after, by how often that was done. */
const followPauses = [3, 4, 8, 15, 30]
const hops = 2
/** Seconds for which a try may stay in doubt, before a person is asked to look at the printer. */
const doubt = 30

/**
 * Sends a print job and answers how it stands afterwards; never throws for what a printer or a provider does.
 * May be called any number of times and by several at once: one wins the job for a lease, the provider knows the try by its key.
 * `queued` afterwards: nothing came out, it is tried again until it expires. `sending`: somebody else has it in hand.
 * The scope must reach the company of the document and that of the printer.
 */
export async function sendPrint(outside: ExternalContext, print_job_id: number): Promise<PrintJob> {
  await trySendingPrint(outside, print_job_id)
  return outside.transaction(async ({ db }) =>
    orNotFound(await printJobById(db, print_job_id), 'print_job_not_found', 'Print job not found'),
  )
}

/** The same without the answer. */
export async function trySendingPrint(outside: ExternalContext, print_job_id: number): Promise<void> {
  for (let hop = 0; hop <= hops; hop++) if ((await sendOnce(outside, print_job_id)) !== 'moved') break
}

/** A job at the printer to which it was sent. */
export interface SentPrint {
  row: PrintRow
  printer: KnownPrinter
}
interface Try extends SentPrint {
  ways: Ways
  sha256: string
}

async function sendOnce(outside: ExternalContext, id: number): Promise<'moved' | 'over'> {
  let step = await outside.transaction(context => claim(context, id))
  // What was off line a while ago may be back; what was on line is believed, and asked after once the job is there.
  if (step !== 'over' && step !== 'moved' && 'offline' in step) {
    await refreshPrinters(outside, step.offline.company_id, 5).catch(() => undefined)
    step = await outside.transaction(context => claim(context, id, { refreshed: true }))
  }
  if (step === 'over' || step === 'moved' || 'offline' in step) return step === 'moved' ? 'moved' : 'over'

  const { row, printer, ways, sha256 } = step
  let provider: Printing
  let remote_job_id: string
  try {
    provider = providerOf(outside.services, printer.kind, ways)
    const content = await outside.services.files.get(ways.operator_id, sha256)
    const answer = await provider.print(
      {
        remote_id: printer.remote_id,
        title: row.title,
        content,
        format: row.format,
        idempotency_key: keyOf(row),
        expire_after_s: Math.max(1, Math.floor((Date.parse(row.expires_at) - outside.now().getTime()) / 1_000)),
        paper: paperNamed(printer.papers, row.paper),
        copies: row.copies,
      },
      // The person who asked may leave; the paper is wanted all the same.
      AbortSignal.any([outside.services.closing, AbortSignal.timeout(patience * 1_000)]),
    )
    remote_job_id = answer.remote_job_id
  } catch (error) {
    return outside.transaction(context => recordFailure(context, step, errorOf(error)))
  }
  // The file printer has written it, a label printer has read it; PrintNode's computer and CUPS still have to print it.
  const done = provider.kind === 'file' || provider.kind === 'raw9100'
  await outside.transaction(async context => {
    if ((await recordAccepted(context, step, { remote_job_id, done })) && !done)
      await context.enqueue('print.follow', { print_job_id: id, times: 0 }, { key: `follow:${id}`, run_at: later(followPauses[0] ?? 3) })
  })
  return 'over'
}

const notKnown = 'It is not known whether it came out. Look at the printer before you print it again.'

/** The name of this try at the provider. */
const keyOf = (row: PrintRow) => `${row.idempotency_key}.${row.remote_key}`

/** `offline`: nothing is claimed, for the state of this printer should be asked for first. */
async function claim(
  context: Context,
  id: number,
  { refreshed = false } = {},
): Promise<Try | { offline: KnownPrinter } | 'moved' | 'over'> {
  const { db, now } = context
  const seen = orNotFound(await printRowById(db, id), 'print_job_not_found', 'Print job not found')
  if (seen.state !== 'queued' && seen.state !== 'sending') return 'over'
  if (seen.state === 'sending' && seen.leased_until !== null && Date.parse(seen.leased_until) >= now().getTime()) return 'over'
  // Before the job itself is touched: a change that stops an order locks its row first and its print jobs second.
  const [stop, meant] = await Promise.all([stopOfPrint(db, seen), knownPrinter(db, seen.printer_id)])
  if (stop) {
    await step(context, seen, { state: 'cancelled', error: stop, finished_at: now().toISOString(), leased_until: null }, 'print.stopped')
    return 'over'
  }
  if (Date.parse(seen.expires_at) <= now().getTime()) {
    const error = seen.in_doubt ? notKnown : (seen.error ?? 'The printer did not answer in time')
    await step(context, seen, { state: 'expired', error, finished_at: now().toISOString(), leased_until: null }, 'print.expired')
    return 'over'
  }
  if (!refreshed && meant.state !== 'online' && meant.kind === 'printnode') return { offline: meant }
  if (seen.in_doubt && (!knowsKeys(meant.kind) || doubtLeft(seen, now()) === 0)) {
    await step(context, seen, { state: 'unknown', error: notKnown, finished_at: now().toISOString(), leased_until: null }, 'print.unknown')
    return 'over'
  }
  if (meant.kind === 'agent') {
    // Its agent claims the job; here it only leaves a printer that is off.
    return meant.state !== 'online' && (await move(context, seen, meant, 'Printer offline')) ? 'moved' : 'over'
  }
  const row = await claimPrint(db, id, {
    in_doubt: !knowsKeys(meant.kind),
    now: now(),
    until: new Date(now().getTime() + lease * 1_000),
    holder: context.services.notifier.self,
  })
  if (!row) return 'over'
  const printer = row.printer_id === meant.id ? meant : await knownPrinter(db, row.printer_id)
  if (printer.state !== 'online' && (await move(context, row, printer, 'Printer offline'))) return 'moved'
  const [file, ways] = await Promise.all([
    bytesOfFile(db, row.file_id),
    waysOf(db, context.services, row, row.printer_company_id, printer.kind),
  ])
  return { row, printer, sha256: orNotFound(file, 'document_gone', 'The document is gone').sha256, ways }
}

const knownPrinter = async (db: Db, id: number): Promise<KnownPrinter> =>
  orNotFound(await printerById(db, id), 'printer_not_found', 'Printer not found')

type PrintEvent = Exclude<Extract<EventKind, `print.${string}`>, 'print.queued'>

/** One change of the job with its event and its notice. False when somebody was quicker. */
export async function step(
  { db, recordEvent, notify }: Context,
  row: PrintRow,
  change: PrintChange,
  kind: PrintEvent,
  data: object = {},
): Promise<boolean> {
  const next = await changePrint(db, row, change)
  if (!next) return false
  // The same trouble again is no news.
  if (kind === 'print.delayed' && row.error === next.error) return true
  await recordEvent({
    kind,
    company_id: row.company_id,
    order_id: row.order_id,
    subject: 'print_job',
    subject_id: row.id,
    data: { title: row.title, document: row.document, printer: next.printer_name, ...(next.error && { error: next.error }), ...data },
  })
  notify('print', row.id, row.company_id)
  return true
}

/** A printer or its provider has the job; `done` where nothing more becomes known of it. False when the job was changed meanwhile. */
export async function recordAccepted(
  context: Context,
  { row, printer }: SentPrint,
  { remote_job_id, done }: { remote_job_id: string; done: boolean },
): Promise<boolean> {
  const { db, now } = context
  const at = now().toISOString()
  const change: PrintChange = { remote_job_id, accepted_at: at, error: null, in_doubt: false, leased_until: null }
  const went = await step(
    context,
    row,
    { ...change, ...(done ? { state: 'done', finished_at: at } : { state: 'accepted', finished_at: null }) },
    'print.accepted',
  )
  if (went) await printedOn(db, printer.id, now())
  return went
}

/** For the queue, whose clock is the machine's. */
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000)

/** A printer or its provider refused the job, could not take it now, or left open whether it has it. */
export async function recordFailure(context: Context, { row, printer }: SentPrint, error: Error): Promise<'moved' | 'over'> {
  const { services, now } = context
  if (error instanceof PrinterRefused) {
    if (await move(context, { ...row, in_doubt: row.in_doubt && knowsKeys(printer.kind) }, printer, error.message)) return 'moved'
    await step(
      context,
      row,
      {
        state: 'failed',
        in_doubt: row.in_doubt && knowsKeys(printer.kind),
        error: error.message,
        finished_at: now().toISOString(),
        leased_until: null,
      },
      'print.failed',
    )
    return 'over'
  }
  // Anything that is not certainly "nothing was submitted" is a doubt.
  const unavailable = error instanceof PrinterUnavailable
  // A try at a provider without keys is in doubt from its beginning.
  const wasInDoubt = row.in_doubt && knowsKeys(printer.kind)
  const foreseen = unavailable || error.name === 'PrintOutcomeUnknown'
  if (!foreseen) services.log.error({ print_job: row.id, error: String(error.stack ?? error) }, 'sending a print job failed')
  const sentence = foreseen ? error.message : 'The document could not be sent to the printer'
  if (unavailable && !wasInDoubt && (await move(context, { ...row, in_doubt: false }, printer, sentence))) return 'moved'
  if (!unavailable && !knowsKeys(printer.kind)) {
    const change = {
      state: 'unknown',
      error: foreseen ? sentence : notKnown,
      finished_at: now().toISOString(),
      leased_until: null,
    } as const
    await step(context, row, change, 'print.unknown')
    return 'over'
  }
  const isInDoubt = wasInDoubt || error.name === 'PrintOutcomeUnknown'
  const doubted_at = isInDoubt ? (row.doubted_at ?? now().toISOString()) : null
  const pause = Math.min(pauses[Math.min(row.attempts, pauses.length) - 1] ?? 30, doubtLeft({ doubted_at }, now()))
  await step(
    context,
    row,
    {
      state: 'queued',
      error: sentence,
      in_doubt: isInDoubt,
      doubted_at,
      leased_until: new Date(now().getTime() + pause * 1_000).toISOString(),
    },
    'print.delayed',
  )
  return 'over'
}

/** Seconds for which a doubt may go on. */
const doubtLeft = ({ doubted_at }: Pick<PrintRow, 'doubted_at'>, now: Date): number =>
  doubted_at === null ? doubt : Math.max(0, doubt - (now.getTime() - Date.parse(doubted_at)) / 1_000)

/** The one that the station names, else the printer's own. */
const fallbackOf = (row: PrintRow, printer: KnownPrinter): number | null => row.fallback_printer_id ?? printer.fallback_printer_id

/**
 * Gives the job to the printer's fallback: a new try under a new key. Only for jobs that are certainly not with the first printer.
 * False when there is no fallback that can print it now, or it has been moved before.
 */
export async function move(context: Context, row: PrintRow, printer: KnownPrinter, why: string): Promise<boolean> {
  const { db } = context
  const fallback_id = fallbackOf(row, printer)
  if (row.in_doubt || row.moved_from_printer_id !== null || fallback_id === null || fallback_id === printer.id) return false
  const fallback = await printerById(db, fallback_id)
  if (fallback?.state !== 'online') return false
  const change = await changeTo(context, row, fallback)
  if (!change) return false
  return step(
    context,
    row,
    {
      ...change,
      state: 'queued',
      moved_from_printer_id: printer.id,
      in_doubt: false,
      remote_job_id: null,
      accepted_at: null,
      leased_until: null,
      error: why,
    },
    'print.moved',
    { from: printer.name },
  )
}

/** What changes when another printer prints it, with a new name for the new try; null when that printer cannot. */
export async function changeTo({ db }: Context, row: PrintRow, printer: KnownPrinter): Promise<PrintChange | null> {
  const change: PrintChange = {
    printer_id: printer.id,
    printer_company_id: printer.company_id,
    printer_name: printer.name,
    remote_key: randomUUID(),
  }
  if (row.format === 'pdf' || printer.raw) return change
  // A copy's mark is in its bytes: the unmarked label must not stand in for it.
  const file_id = row.copy_no === 0 ? await pdfInstead(db, row) : null
  return file_id === null ? null : { ...change, format: 'pdf', file_id }
}

/**
 * Asks the provider what became of a job that it took. One that still waits there, because the printer's computer is off, goes to
 * the fallback printer – after the provider has confirmed that it will not print it any more.
 */
export async function followPrint(outside: ExternalContext, print_job_id: number): Promise<PrintJob> {
  const moved = await followOnce(outside, print_job_id)
  if (moved) return sendPrint(outside, print_job_id)
  return outside.transaction(async ({ db }) =>
    orNotFound(await printJobById(db, print_job_id), 'print_job_not_found', 'Print job not found'),
  )
}

async function followOnce(outside: ExternalContext, id: number): Promise<boolean> {
  const { services, now } = outside
  const about = await outside.transaction(async ({ db }) => {
    const row = await printRowById(db, id)
    if (!row?.remote_job_id || (row.state !== 'accepted' && row.state !== 'sent')) return null
    const printer = await printerById(db, row.printer_id)
    if (!printer) return null
    await followedPrint(db, id, now())
    const fallback_id = fallbackOf(row, printer)
    const fallback = fallback_id === null ? undefined : await printerById(db, fallback_id)
    return { row, printer, fallback, stop: await stopOfPrint(db, row), ways: await waysOf(db, services, row, row.printer_company_id) }
  })
  if (!about) return false
  const { row, printer, fallback, stop, ways } = about
  const remote = row.remote_job_id as string
  const signal = AbortSignal.any([services.closing, AbortSignal.timeout(patience * 1_000)])
  let provider: Printing
  let known: Awaited<ReturnType<Printing['state']>>
  try {
    provider = providerOf(services, printer.kind, ways)
    known = await provider.state(remote, signal)
  } catch {
    // Not answered, or not known there any more: the job was accepted, and nothing else is certain.
    return false
  }
  const at = now().toISOString()
  if (
    known.state === 'failed' &&
    !stop &&
    (await outside.transaction(context => move(context, row, printer, known.message ?? outcomes.failed)))
  )
    return true
  if (known.state === 'done' || known.state === 'failed' || known.state === 'expired' || known.state === 'cancelled') {
    const error = known.state === 'done' ? null : (known.message ?? outcomes[known.state])
    await outside.transaction(context => step(context, row, { state: known.state, error, finished_at: at }, `print.${known.state}`))
    return false
  }
  // CUPS keeps a job for as long as its printer is off.
  if (printer.kind === 'cups' && Date.parse(row.expires_at) <= now().getTime()) {
    if (await provider.cancel(remote, signal).catch(() => false))
      await outside.transaction(context =>
        step(context, row, { state: 'expired', error: outcomes.expired, finished_at: at }, 'print.expired'),
      )
    return false
  }
  if (known.state === 'accepted') {
    if (row.state === 'sent') await outside.transaction(context => step(context, row, { state: 'accepted', error: null }, 'print.received'))
    return false
  }
  if (stop) {
    if (await provider.cancel(remote, signal).catch(() => false))
      await outside.transaction(context => step(context, row, { state: 'cancelled', error: stop, finished_at: at }, 'print.stopped'))
    return false
  }
  await refreshPrinters(outside, printer.company_id, 5).catch(() => undefined)
  const online = fallback && (await outside.transaction(({ db }) => printerById(db, fallback.id)))?.state === 'online'
  const waits = 'The job waits until the printer’s computer is back'
  if (online && row.moved_from_printer_id === null) {
    // Not given back: it is on its way to the printer after all.
    if (!(await provider.cancel(remote, signal).catch(() => false))) return false
    return outside.transaction(async context => {
      // Taken back for certain: should the fallback not take it, it starts anew here and never twice.
      if (await move(context, row, printer, waits)) return true
      const change: PrintChange = { state: 'queued', remote_key: randomUUID(), remote_job_id: null, accepted_at: null, error: waits }
      await step(context, row, change, 'print.delayed')
      return false
    })
  }
  if (row.state === 'accepted') await outside.transaction(context => step(context, row, { state: 'sent', error: waits }, 'print.waits'))
  return false
}

const outcomes = {
  failed: 'The printer reports an error',
  expired: 'The printer did not come back in time',
  cancelled: 'It was taken out of the printer’s queue',
} as const

/** Asks the provider to take a job back; true when it confirms that nothing will come out. */
export async function takeBack(outside: ExternalContext, row: PrintRow): Promise<boolean> {
  if (!row.remote_job_id) return false
  const about = await outside.transaction(async ({ db }) => ({
    printer: orNotFound(await printerById(db, row.printer_id), 'printer_not_found', 'Printer not found'),
    ways: await waysOf(db, outside.services, row, row.printer_company_id),
  }))
  const signal = AbortSignal.any([outside.services.closing, AbortSignal.timeout(patience * 1_000)])
  try {
    return await providerOf(outside.services, about.printer.kind, about.ways).cancel(row.remote_job_id, signal)
  } catch {
    return false
  }
}

/** The safety net under a request that died before it sent its print job. */
export const printTasks = {
  'print.send': async ({ print_job_id }, context) => {
    await sendPrint(context, print_job_id)
  },
  'print.follow': async ({ print_job_id, times }, context) => {
    const job = await followPrint(context, print_job_id)
    const pause = followPauses[times + 1]
    if (pause !== undefined && (job.state === 'accepted' || job.state === 'sent'))
      await context.transaction(({ enqueue }) =>
        enqueue('print.follow', { print_job_id, times: times + 1 }, { key: `follow:${print_job_id}`, run_at: later(pause) }),
      )
  },
} satisfies Pick<Tasks, 'print.send' | 'print.follow'>

/** Sends what waits, expires what is late and asks after what was accepted, also when the server that began it is gone. */
export async function watchPrints(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the watch looks after the prints of every operator', async db => {
    await endLeasesOfDead(db, services.now())
    return duePrints(db, services.now())
  })
  // One provider may be out of reach: it must not hold up another's jobs.
  const owners = Map.groupBy(due, job => job.provider)
  await Promise.all(
    [...owners.values()].map(async jobs => {
      for (const { id, operator_id, company_id, printer_company_id, state } of jobs) {
        const company = { operator_id, id: company_id, code: '', name: '', is_main: false, packing_ip_pattern: '' }
        const scope = { operator_id, company_id, companies: [...new Set([company_id, printer_company_id])] }
        const outside = createContext(services, anonymous(company), scope, { ip: '', station: '', headers: {}, signal: services.closing })
        try {
          if (state === 'accepted' || state === 'sent') await followPrint(outside, id)
          // A provider that takes nothing now takes nothing from the next job either.
          else if ((await sendPrint(outside, id)).state === 'queued') break
        } catch (error) {
          services.log.warn({ print_job: id, error: String(error) }, 'a print job could not be looked after')
        }
      }
    }),
  )
}

export const printRounds: readonly ScheduledTask[] = [{ name: 'prints', seconds: 5, atStart: true, run: watchPrints }]
