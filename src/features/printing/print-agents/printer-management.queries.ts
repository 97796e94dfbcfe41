/** Devices whose printers people manage, and commands to them. */
import * as z from 'zod'
import type { Db } from '#platform/database/database.ts'
import { agentPrinterId } from './print-agents.commands.ts'
import { silentAfter } from './print-agents.queries.ts'
import { CupsCommand, CupsQueue, FoundPrinter } from './print-agents.schemas.ts'
import { commandStates } from './printer-management.codes.ts'
import type { DeviceCommand, PrinterDevice } from './printer-management.schemas.ts'

const CommandState = z.enum(commandStates)

/** Milliseconds in which a device must fetch a command, and in which it must then say what became of it. */
const patience = { waiting: 5 * 60_000, taken: 3 * 60_000 }
const newest = 10

/** The earliest time of a command that a device may still fetch. */
export const fetchedSince = (now: Date): string => new Date(now.getTime() - patience.waiting).toISOString()

const commandColumns = ['id', 'agent_id', 'command', 'state', 'message', 'found', 'created_at', 'taken_at'] as const

interface CommandRow {
  id: number
  command: unknown
  state: string
  message: string | null
  found: unknown
  created_at: string
  taken_at: string | null
}

function commandOf({ id, command, state, message, found, created_at, taken_at }: CommandRow, now: Date): DeviceCommand {
  const age = (since: string | null) => now.getTime() - Date.parse(since ?? created_at)
  const isLost = (state === 'waiting' && age(created_at) > patience.waiting) || (state === 'taken' && age(taken_at) > patience.taken)
  return {
    id,
    command: CupsCommand.parse(command),
    state: isLost ? 'lost' : CommandState.parse(state),
    message,
    found: FoundPrinter.array().nullable().parse(found),
    created_at,
  }
}

export async function commandOfClient(db: Db, client_id: string, now: Date): Promise<DeviceCommand | undefined> {
  const row = await db.selectFrom('printer_commands').select(commandColumns).where('client_id', '=', client_id).executeTakeFirst()
  return row && commandOf(row, now)
}

/** The device, if it is of this company and lets its printers be managed. */
export async function managedDevice(db: Db, company_id: number, agent_id: number) {
  const row = await db
    .selectFrom('print_agents')
    .select(['id', 'name', 'last_seen_at', 'queues'])
    .where('id', '=', agent_id)
    .where('company_id', '=', company_id)
    .where('kind', '=', 'raspberry')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row?.queues ? { ...row, queues: CupsQueue.array().parse(row.queues) } : undefined
}

export const openCommands = async (db: Db, agent_id: number, now: Date): Promise<number> => {
  const { count } = await db
    .selectFrom('printer_commands')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agent_id)
    .where('state', '=', 'waiting')
    .where('created_at', '>', fetchedSince(now))
    .executeTakeFirstOrThrow()
  return count
}

export async function devicesOf(db: Db, company_id: number, now: Date): Promise<PrinterDevice[]> {
  const devices = await db
    .selectFrom('print_agents')
    .select(['id', 'name', 'model', 'last_seen_at', 'queues'])
    .where('company_id', '=', company_id)
    .where('kind', '=', 'raspberry')
    .where('queues', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute()
  const printers = await db
    .selectFrom('printers')
    .select(['remote_id', 'papers'])
    .where('company_id', '=', company_id)
    .where('kind', '=', 'agent')
    .where('state', '<>', 'gone')
    .execute()
  const papersOf = new Map(printers.map(({ remote_id, papers }) => [remote_id, Object.keys(papers ?? {})]))
  return Promise.all(
    devices.map(async ({ id, name, model, last_seen_at, queues }) => {
      const commands = await db
        .selectFrom('printer_commands')
        .select(commandColumns)
        .where('agent_id', '=', id)
        .orderBy('id', 'desc')
        .limit(newest)
        .execute()
      return {
        agent_id: id,
        name,
        model,
        state: now.getTime() - Date.parse(last_seen_at) < silentAfter ? ('connected' as const) : ('silent' as const),
        last_seen_at,
        queues: CupsQueue.array()
          .parse(queues)
          .map(queue => ({ ...queue, papers: papersOf.get(agentPrinterId(id, `cups:${queue.name}`)) ?? [] })),
        commands: commands.map(row => commandOf(row, now)),
      }
    }),
  )
}
