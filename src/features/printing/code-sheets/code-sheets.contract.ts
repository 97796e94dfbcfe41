/** Code sheets: command codes for the station and order codes, on paper. */
import { call, contract } from '#contract/endpoint.ts'
import { settingsPages } from '#contract/settings-access.ts'
import type { codeSheetsSchemas } from './code-sheets.schemas.ts'

export const codeSheets = contract<typeof codeSheetsSchemas>({
  name: 'codeSheets',
  area: 'printing',
  access: settingsPages.qrcode,
  tenantScope: 'operator',
  internal: true,
}).calls({
  draw: call('POST code_sheets/draw', { media: 'application/pdf', external: true }),
  print: call('POST code_sheets/print/on/{printer_id}', { external: true, timeout: 'long', ipLock: true }),
})
