/** Printers: handlers that list them and change their settings. */
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { implement } from '#platform/http/feature-module.ts'
import { addNetworkPrinter, removeNetworkPrinter, setPrinter } from './printer-settings.commands.ts'
import { printers } from './printers.contract.ts'
import { printersSchemas } from './printers.schemas.ts'
import { printerSettingList } from './printers-history.server.ts'
import { fresh, printerList } from './providers.server.ts'

export const printersServer = implement(printers, printersSchemas, {
  list: ({ refresh }, context) => printerList(context, refresh ? 2 : fresh),
  add: ({ body }, context) =>
    addEntry(
      printerSettingList,
      context,
      () => addNetworkPrinter(context, body),
      printer => printer.id,
    ),
  remove: ({ id }, context) => changeEntry(printerSettingList, context, id, () => removeNetworkPrinter(context, id)),
  change: ({ id, body }, context) => changeEntry(printerSettingList, context, id, () => setPrinter(context, id, body)),
})
