/** Commands to the CUPS of devices: asked by people, fetched by the device once, and answered by it. */
import type { z } from 'zod'
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { silentAfter } from './print-agents.queries.ts'
import { CupsCommand, type FoundPrinter } from './print-agents.schemas.ts'
import { commandOfClient, fetchedSince, managedDevice, openCommands } from './printer-management.queries.ts'
import type { DeviceCommand } from './printer-management.schemas.ts'

type Command = z.infer<typeof CupsCommand>

const mostWaiting = 20
const keptDays = 30

export async function askDevice(
  { db, scope, now, notify, recordEvent }: Context,
  agent_id: number,
  { client_id, command }: { client_id: string; command: Command },
): Promise<DeviceCommand> {
  const at = now()
  const device = orNotFound(await managedDevice(db, scope.company_id, agent_id), 'print_agent_not_found', 'Print agent not found')
  const known = await commandOfClient(db, client_id, at)
  if (known) return known
  if (at.getTime() - Date.parse(device.last_seen_at) >= silentAfter)
    throw conflict('device_silent', 'The device has had no contact for a minute. Look whether it is on.')
  if ('name' in command) {
    const exists = device.queues.some(queue => queue.name === command.name)
    if (command.action === 'add' && exists) throw conflict('printer_name_taken', 'This device has a printer of this name already')
    if (command.action !== 'add' && !exists) throw notFound('printer_not_found', 'Printer not found')
  }
  if ((await openCommands(db, agent_id, at)) >= mostWaiting)
    throw conflict('device_busy', 'The device still works on earlier commands. Wait a moment.')
  await db
    .deleteFrom('printer_commands')
    .where('agent_id', '=', agent_id)
    .where('created_at', '<', new Date(at.getTime() - keptDays * 86_400_000).toISOString())
    .execute()
  await db
    .insertInto('printer_commands')
    .values({ agent_id, client_id, command: JSON.stringify(command), created_at: at.toISOString() })
    .onConflict(same => same.columns(['operator_id', 'company_id', 'client_id']).doNothing())
    .execute()
  const name = 'name' in command ? command.name : null
  if (command.action !== 'discover')
    await recordEvent({
      kind: 'print_agent.commanded',
      subject: 'print_agent',
      subject_id: agent_id,
      data: { name: device.name, action: command.action, printer: name },
    })
  // The device waits for print jobs and fetches commands with them.
  notify('print')
  notify('printer')
  return orNotFound(await commandOfClient(db, client_id, at), 'print_agent_not_found', 'Print agent not found')
}

/** Gives what waits to the device that asks, each command once: a device that stops with one leaves it open. */
export async function takeCommands({ db, now, notify }: Context, agent_id: number): Promise<{ id: number; command: Command }[]> {
  const rows = await db
    .updateTable('printer_commands')
    .set({ state: 'taken', taken_at: now().toISOString() })
    .where('agent_id', '=', agent_id)
    .where('state', '=', 'waiting')
    .where('created_at', '>', fetchedSince(now()))
    .returning(['id', 'command'])
    .execute()
  if (rows.length > 0) notify('printer')
  return rows.map(({ id, command }) => ({ id, command: CupsCommand.parse(command) })).toSorted((one, other) => one.id - other.id)
}

/** The same report again changes nothing. */
export async function endCommand(
  { db, scope, now, notify }: Context,
  id: number,
  { message, found }: { message: string | null; found: z.infer<typeof FoundPrinter>[] | null },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('printer_commands')
    .set({
      state: message === null ? 'done' : 'failed',
      message,
      found: found && JSON.stringify(found),
      ended_at: now().toISOString(),
    })
    .where('id', '=', id)
    .where('company_id', '=', scope.company_id)
    .where('state', '=', 'taken')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) notify('printer')
}
