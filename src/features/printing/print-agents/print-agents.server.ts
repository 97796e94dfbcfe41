/** Print agents: handlers of what people see, and of the calls that agents make. */
import { conflict, notFound, orNotFound, tooMany } from '#contract/errors.ts'
import { changePrint, claimPrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { bytesOfFile, printRowById, stopOfPrint } from '#features/printing/print-jobs/print-jobs.queries.ts'
import { move, recordAccepted, recordFailure, type SentPrint, sendPrint, step } from '#features/printing/print-jobs/send-prints.task.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { paperNamed } from '#features/printing/printers/printers.rules.ts'
import { PrinterRefused, PrinterUnavailable, PrintOutcomeUnknown } from '#integrations/printers/printer.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { type AgentPoll, agentPrinterId, registerAgent, removeAgent } from './print-agents.commands.ts'
import { printAgentCalls, printAgents } from './print-agents.contract.ts'
import { agentsOf, claimableJobs } from './print-agents.queries.ts'
import { type AgentJob, printAgentCallsSchemas, printAgentsSchemas } from './print-agents.schemas.ts'
import { endCommand, takeCommands } from './printer-management.commands.ts'

/** Seconds in which an agent must begin to print, and in which it must then say what became of it. */
const leases = { claimed: 30, begun: 60 }
/** Milliseconds after which a waiting poll looks again by itself: a job may have become due without a notice. */
const lookAgain = 5_000
/** Milliseconds for which notices gather before a waiting poll looks. */
const gathered = 50

export const printAgentsServer = implement(printAgents, printAgentsSchemas, {
  list: (_, { db, scope, now }) => agentsOf(db, scope.company_id, now()),

  async remove({ id }, context) {
    if ((await removeAgent(context, id)) === undefined) throw notFound('print_agent_not_found', 'Print agent not found')
  },
})

export const printAgentServer = implement(printAgentCalls, printAgentCallsSchemas, {
  poll: ({ body }, outside) => countPoll(outside, () => waitForJobs(outside, body)),

  async document({ id, attempt }, { transaction }) {
    const { file, row } = await transaction(async context => {
      const { row } = await leased(context, id, attempt)
      return { row, file: orNotFound(await bytesOfFile(context.db, row.file_id), 'document_gone', 'The document is gone') }
    })
    return { bytes: file, media_type: 'application/octet-stream', name: `${row.id}.${row.format}` }
  },

  async begin({ id, body: { attempt } }, context) {
    const { row } = await leased(context, id, attempt)
    const leased_until = new Date(context.now().getTime() + leases.begun * 1_000).toISOString()
    // What stops it meanwhile has changed the row of its order, which this look holds.
    const stop = await stopOfPrint(context.db, row)
    if (stop) throw conflict('print_job_not_leased', notLeased)
    if (!(await changePrint(context.db, row, { in_doubt: true, leased_until }))) throw conflict('print_job_not_leased', notLeased)
  },

  async report({ id, body }, outside) {
    const moved = await outside.transaction(context => recordReport(context, id, body))
    if (moved) await sendPrint(outside, id)
  },

  reportCommand: ({ id, body }, context) => endCommand(context, id, body),
})

const notLeased = 'This print job is not leased to this agent any more'

/** Polls that wait, by company: each holds a connection. */
const waiting = new Map<number, number>()
const mostWaiting = 40

async function countPoll<T>({ scope: { company_id } }: ExternalContext, poll: () => Promise<T>): Promise<T> {
  const others = waiting.get(company_id) ?? 0
  if (others >= mostWaiting)
    throw tooMany('too_many_requests', 'This key has sent too many requests. Wait {{seconds}} seconds.', { seconds: 30 })
  waiting.set(company_id, others + 1)
  try {
    return await poll()
  } finally {
    const left = (waiting.get(company_id) ?? 1) - 1
    if (left > 0) waiting.set(company_id, left)
    else waiting.delete(company_id)
  }
}

async function waitForJobs(
  outside: ExternalContext,
  { most, wait_seconds, ...poll }: AgentPoll & { most: number; wait_seconds: number },
): Promise<{ agent_id: number; lease_seconds: number; jobs: AgentJob[]; commands: Awaited<ReturnType<typeof takeCommands>> }> {
  const agent_id = await outside.transaction(context => registerAgent(context, poll))
  const until = Date.now() + wait_seconds * 1_000
  for (;;) {
    // Listens before it looks: a job that is queued in between is not missed.
    const changed = printChange(outside, Math.min(lookAgain, until - Date.now()))
    try {
      const work = await outside.transaction(async context => ({
        jobs: await claimJobs(context, agent_id, most),
        commands: poll.queues ? await takeCommands(context, agent_id) : [],
      }))
      if (work.jobs.length > 0 || work.commands.length > 0 || Date.now() >= until || outside.signal.aborted)
        return { agent_id, lease_seconds: leases.claimed, ...work }
      await changed.happened
    } finally {
      changed.stop()
    }
  }
}

/** Resolves when a print job of the operator has changed, after `limit` milliseconds, or when the caller has gone. */
function printChange({ services, scope, signal }: ExternalContext, limit: number): { happened: Promise<void>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const soon = () => setTimeout(resolve, gathered)
  const unsubscribe = services.notifier.subscribe(({ topic, operator_id }) => {
    if (topic === 'print' && operator_id === scope.operator_id) soon()
  }, soon)
  const timer = setTimeout(resolve, Math.max(0, limit))
  const stop = () => {
    unsubscribe()
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    resolve()
  }
  signal.addEventListener('abort', stop, { once: true })
  return { happened: promise.finally(stop), stop }
}

async function claimJobs(context: Context, agent_id: number, most: number): Promise<AgentJob[]> {
  const { db, now } = context
  const jobs: AgentJob[] = []
  for (const { id } of await claimableJobs(db, agent_id, now(), most)) {
    const seen = await printRowById(db, id)
    if (!seen) continue
    const stop = await stopOfPrint(db, seen)
    if (stop) {
      await step(context, seen, { state: 'cancelled', error: stop, finished_at: now().toISOString(), leased_until: null }, 'print.stopped')
      continue
    }
    const until = new Date(now().getTime() + leases.claimed * 1_000)
    const row = await claimPrint(db, id, { now: now(), until, holder: null, in_doubt: false })
    const printer = row && (await printerById(db, row.printer_id))
    if (!row || !printer) continue
    jobs.push({
      id: row.id,
      attempt: row.attempts,
      remote_id: printer.remote_id.slice(agentPrinterId(agent_id, '').length),
      title: row.title,
      format: row.format,
      paper: paperNamed(printer.papers, row.paper),
      copies: row.copies,
      key: `${row.idempotency_key}.${row.remote_key}`,
      expires_at: row.expires_at,
    })
  }
  return jobs
}

/** The job, if it is leased under this attempt to an agent of the caller's company. */
async function leased(context: Context, id: number, attempt: number): Promise<SentPrint> {
  const found = await attempted(context, id, attempt)
  const { state, leased_until } = found.row
  if (state !== 'sending' || leased_until === null || Date.parse(leased_until) < context.now().getTime())
    throw conflict('print_job_not_leased', notLeased)
  return found
}

async function attempted({ db, scope }: Context, id: number, attempt: number): Promise<SentPrint> {
  const row = orNotFound(await printRowById(db, id), 'print_job_not_found', 'Print job not found')
  const printer = orNotFound(await printerById(db, row.printer_id), 'print_job_not_found', 'Print job not found')
  if (printer.company_id !== scope.company_id) throw notFound('print_job_not_found', 'Print job not found')
  if (printer.kind !== 'agent' || row.attempts !== attempt) throw conflict('print_job_not_leased', notLeased)
  return { row, printer }
}

interface Report {
  attempt: number
  outcome: 'accepted' | 'done' | 'failed' | 'unavailable' | 'unknown'
  message: string | null
}

/** The same report again changes nothing. True when the job has gone to another printer. */
async function recordReport(context: Context, id: number, { attempt, outcome, message }: Report): Promise<boolean> {
  const print = await attempted(context, id, attempt)
  const { row } = print
  const at = context.now().toISOString()
  if (row.state === 'accepted' || row.state === 'sent') {
    if (outcome === 'done') await step(context, row, { state: 'done', error: null, finished_at: at }, 'print.done')
    if (outcome === 'failed') {
      const error = message ?? 'The printer reports an error'
      if (!(await stopOfPrint(context.db, row)) && (await move(context, row, print.printer, error))) return true
      await step(context, row, { state: 'failed', error, finished_at: at }, 'print.failed')
    }
    return false
  }
  // What the agent knows ends a doubt, also after its lease.
  if (row.state !== 'sending' && !(row.state === 'unknown' && outcome !== 'unavailable')) return false
  if (outcome === 'accepted' || outcome === 'done') {
    await recordAccepted(context, print, { remote_job_id: `agent:${row.id}.${attempt}`, done: outcome === 'done' })
    return false
  }
  if (row.state === 'unknown' && outcome === 'unknown') return false
  return (await recordFailure(context, print, failureOf(outcome, message))) === 'moved'
}

function failureOf(outcome: 'failed' | 'unavailable' | 'unknown', message: string | null): Error {
  if (outcome === 'failed') return new PrinterRefused(message ?? 'The printer reports an error')
  if (outcome === 'unavailable') return new PrinterUnavailable(message ?? 'The printer does not answer')
  return new PrintOutcomeUnknown(message ?? 'It is not known whether it came out. Look at the printer before you print it again.')
}
