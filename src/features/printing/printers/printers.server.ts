/** Printers: handlers that list them and change their settings. */
import { orNotFound, unprocessable } from '#contract/errors.ts'
import { implement } from '#platform/http/feature-module.ts'
import { changePrinter } from './printers.commands.ts'
import { printers } from './printers.contract.ts'
import { printerById } from './printers.queries.ts'
import { printersSchemas } from './printers.schemas.ts'
import { fresh, printerList } from './providers.server.ts'

const unknown = 'This printer does not exist'

export const printersServer = implement(printers, printersSchemas, {
  list: ({ refresh }, context) => printerList(context, refresh ? 2 : fresh),

  async change({ id, body }, { db, recordEvent, notify }) {
    const printer = orNotFound(await printerById(db, id), 'printer_not_found', unknown)
    const { fallback_printer_id, raw_override } = body
    if (fallback_printer_id) {
      const fallback = await printerById(db, fallback_printer_id)
      if (!fallback || fallback.company_id !== printer.company_id)
        throw unprocessable(
          'printer_not_found',
          'This printer does not exist',
          {},
          { fields: { fallback_printer_id: 'This printer does not exist' } },
        )
      if (fallback.id === printer.id)
        throw unprocessable(
          'printer_replaces_itself',
          'A printer cannot stand in for itself',
          {},
          { fields: { fallback_printer_id: 'A printer cannot stand in for itself' } },
        )
    }
    await changePrinter(db, id, {
      ...(fallback_printer_id === undefined ? {} : { fallback_printer_id }),
      ...(raw_override === undefined ? {} : { raw_override }),
    })
    await recordEvent({ kind: 'printer.changed', subject: 'printer', subject_id: id, data: { name: printer.name, ...body } })
    notify('printer', id)
    return orNotFound(await printerById(db, id), 'printer_not_found', unknown)
  },
})
