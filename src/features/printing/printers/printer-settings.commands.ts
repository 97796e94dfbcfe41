/** What people set of printers: label printers of the network, the language of one, and which one prints in its place. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { rawAddress } from '#integrations/printers/raw9100.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mayBeOutside } from '#platform/http/outside-request.ts'
import { addRawPrinter, changePrinter, removePrinter } from './printers.commands.ts'
import { type KnownPrinter, printerById, rawPrintersOf } from './printers.queries.ts'

const unknown = 'Printer not found'
const privateAddress =
  'This address is in a private network that this server may not reach. Use a print agent, or have ALLOWED_NETWORKS list it.'
const zplOnly = 'A label printer of the network takes ZPL only'
/** So many are asked at once whether they answer. */
const mostRawPrinters = 50

const readPrinter = async ({ db }: Context, id: number): Promise<KnownPrinter> =>
  orNotFound(await printerById(db, id), 'printer_not_found', unknown)

/** One of an address that was removed comes back under its own number. */
export async function addNetworkPrinter(
  context: Context,
  { name, host, port }: { name: string; host: string; port: number },
): Promise<KnownPrinter> {
  const { db, scope, services, now, recordEvent, notify } = context
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (!/^[a-z0-9.:-]+$/i.test(bare))
    throw unprocessable(
      'printer_address_unreadable',
      'This is no address of a printer',
      {},
      { fields: { host: 'This is no address of a printer' } },
    )
  if (!mayBeOutside(bare, services.config.allowed_networks))
    throw unprocessable('printer_address_private', privateAddress, {}, { fields: { host: privateAddress } })
  if ((await rawPrintersOf(db, scope.company_id)).length >= mostRawPrinters)
    throw conflict('too_many_printers', 'There are {{count}} printers already: remove some first', { count: mostRawPrinters })
  const remote_id = rawAddress(bare, port)
  const id = await addRawPrinter(db, { company_id: scope.company_id, remote_id, name }, now())
  if (id === undefined) throw conflict('printer_exists', 'There is a printer at this address already')
  await recordEvent({ kind: 'printer.added', subject: 'printer', subject_id: id, data: { name, address: remote_id } })
  notify('printer', id)
  return readPrinter(context, id)
}

export async function removeNetworkPrinter(context: Context, id: number): Promise<void> {
  const { db, recordEvent, notify } = context
  const printer = await readPrinter(context, id)
  if (printer.kind !== 'raw9100') throw conflict('printer_not_removable', 'Only label printers that were added here can be removed')
  await removePrinter(db, id)
  await recordEvent({ kind: 'printer.removed', subject: 'printer', subject_id: id, data: { name: printer.name } })
  notify('printer', id)
}

export async function setPrinter(
  context: Context,
  id: number,
  body: { fallback_printer_id?: number | null | undefined; raw_override?: boolean | null | undefined },
): Promise<KnownPrinter> {
  const { db, recordEvent, notify } = context
  const printer = await readPrinter(context, id)
  const { fallback_printer_id, raw_override } = body
  if (fallback_printer_id) {
    const fallback = await printerById(db, fallback_printer_id)
    if (!fallback || fallback.company_id !== printer.company_id)
      throw unprocessable('printer_not_found', 'Printer not found', {}, { fields: { fallback_printer_id: 'Printer not found' } })
    if (fallback.id === printer.id)
      throw unprocessable(
        'printer_replaces_itself',
        'A printer cannot be its own backup',
        {},
        { fields: { fallback_printer_id: 'A printer cannot be its own backup' } },
      )
  }
  if (printer.kind === 'raw9100' && raw_override === false)
    throw unprocessable('printer_takes_zpl_only', zplOnly, {}, { fields: { raw_override: zplOnly } })
  await changePrinter(db, id, {
    ...(fallback_printer_id === undefined ? {} : { fallback_printer_id }),
    ...(raw_override === undefined ? {} : { raw_override }),
  })
  await recordEvent({ kind: 'printer.changed', subject: 'printer', subject_id: id, data: { name: printer.name, ...body } })
  notify('printer', id)
  return readPrinter(context, id)
}
