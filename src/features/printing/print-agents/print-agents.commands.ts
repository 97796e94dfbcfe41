/** Changes of print agents: registering one with its printers, and removing one. */
import { conflict } from '#contract/errors.ts'
import { storePrinters } from '#features/printing/printers/printers.commands.ts'
import type { CupsQueue } from '#integrations/printers/cups-queues.ts'
import type { RemotePrinter } from '#integrations/printers/printer.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { agentNames } from './print-agents.queries.ts'

/** So many agents of a company may poll; more are a mistake. */
const mostAgents = 20

export interface AgentPoll {
  name: string
  version: string
  printers: readonly Omit<RemotePrinter, 'computer'>[]
  device: { kind: 'computer' | 'raspberry'; model: string }
  queues: readonly CupsQueue[] | null
}

/** The provider's id of an agent's printer: two agents may use the same names. */
export const agentPrinterId = (agent_id: number, remote_id: string): string => `${agent_id}/${remote_id}`

/** Notes that an agent polled, and stores its printers; answers its id. */
export async function registerAgent({ db, scope, now, recordEvent, notify }: Context, poll: AgentPoll): Promise<number> {
  const { company_id } = scope
  const at = now().toISOString()
  const { version, device, queues } = poll
  const seen = { version, last_seen_at: at, removed_at: null, ...device, queues: queues && JSON.stringify(queues) }
  const names = await agentNames(db, company_id)
  const known = names.some(one => one.name === poll.name)
  if (!known && names.length >= mostAgents)
    throw conflict('too_many_print_agents', 'There are {{count}} print agents already: remove some first', { count: mostAgents })
  const { id } = await db
    .insertInto('print_agents')
    .values({ company_id, name: poll.name, ...seen })
    .onConflict(one => one.columns(['operator_id', 'company_id', 'name']).doUpdateSet(seen))
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!known) await recordEvent({ kind: 'print_agent.added', subject: 'print_agent', subject_id: id, data: { name: poll.name } })
  const printers = poll.printers.map(printer => ({ ...printer, remote_id: agentPrinterId(id, printer.remote_id), computer: poll.name }))
  const changed = await storePrinters(db, company_id, { kind: 'agent', agent_id: id }, printers, now())
  if (changed || !known) notify('printer')
  return id
}

/** Removes an agent with its printers; answers its name, undefined where there is none. */
export async function removeAgent({ db, scope, now, recordEvent, notify }: Context, id: number): Promise<string | undefined> {
  const removed = await db
    .updateTable('print_agents')
    .set({ removed_at: now().toISOString() })
    .where('id', '=', id)
    .where('company_id', '=', scope.company_id)
    .where('removed_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  if (!removed) return undefined
  await storePrinters(db, scope.company_id, { kind: 'agent', agent_id: id }, [], now())
  await recordEvent({ kind: 'print_agent.removed', subject: 'print_agent', subject_id: id, data: { name: removed.name } })
  notify('printer')
  return removed.name
}
