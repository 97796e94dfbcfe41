/** Self-tests: the label printer of a station prints a page by itself in the morning, and the station scans it back. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { selfTestsSchemas } from './self-tests.schemas.ts'

const writers = ['admin', 'settings_admin', 'scan_admin'] as const

export const selfTests = contract<typeof selfTestsSchemas>({
  name: 'selfTests',
  area: 'printing',
  access: access.station,
  internal: true,
}).calls({
  list: call('GET self_tests'),
  state: call('GET self_tests/of_station'),
  set: call('POST stations/{id}/self_test', { access: writers }),
  remove: call('DELETE stations/{id}/self_test', { access: writers }),
  print: call('POST stations/{id}/self_test/print', { ipLock: true }),
  skip: call('POST self_tests/{id}/skip', { access: access.scan, ipLock: true }),
})
