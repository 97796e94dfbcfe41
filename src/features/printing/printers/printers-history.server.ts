/** What people set of printers in the history of settings, and setting it back. What their providers say of them is no setting. */
import * as z from 'zod'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { notValid } from '#features/company/companies/setting-owners.server.ts'
import { addNetworkPrinter, removeNetworkPrinter, setPrinter } from './printer-settings.commands.ts'
import { isUsedPrinter, printerById } from './printers.queries.ts'

const Fields = z.object({
  name: z.string(),
  /** Of a label printer of the network. */
  address: z.string().nullable(),
  /** Prints in its place. Names of printers are not unique. */
  fallback: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** Null where the name of the driver decides. */
  language: z.enum(['zpl', 'pdf']).nullable(),
})
type Fields = z.output<typeof Fields>

const written = ({ fallback, language }: Fields) => ({
  fallback_printer_id: fallback?.id ?? null,
  raw_override: language === null ? null : language === 'zpl',
})

export const printerSettingList: SettingList<Fields> = {
  name: 'printers',
  Fields,
  title: fields => fields.name,
  async find({ db, principal }, place) {
    const printer = await printerById(db, Number(place))
    if (!printer || printer.company_id !== principal.company.id) return undefined
    // Others are gone when their provider no longer lists them, and are there again when it does.
    if (printer.kind === 'raw9100' && printer.state === 'gone') return undefined
    const { name, kind, remote_id, raw_override, fallback_printer_id } = printer
    const fallback = fallback_printer_id === null ? undefined : await printerById(db, fallback_printer_id)
    const language = raw_override === null ? null : raw_override ? ('zpl' as const) : ('pdf' as const)
    return {
      fields: {
        name,
        address: kind === 'raw9100' ? remote_id : null,
        fallback: fallback ? { id: fallback.id, name: fallback.name } : null,
        language,
      },
    }
  },
  async add(context, _place, fields) {
    const { name, address } = fields
    if (address === null) throw notValid()
    const end = address.lastIndexOf(':')
    const { id } = await addNetworkPrinter(context, { name, host: address.slice(0, end), port: Number(address.slice(end + 1)) })
    return setPrinter(context, id, written(fields))
  },
  change: (context, place, fields) => setPrinter(context, Number(place), written(fields)),
  remove: (context, place) => removeNetworkPrinter(context, Number(place)),
  isUsed: ({ db }, place) => isUsedPrinter(db, Number(place)),
}
