/** Payroll: periods, rules, exports, and everyone's own pay and numbers. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { payListSchemas, salarySchemas } from './salary.schemas.ts'

export const salary = contract<typeof salarySchemas>({ name: 'salary', area: 'people', access: access.salary, internal: true }).calls({
  periods: call('GET salary/periods'),
  addPeriod: call('POST salary/periods'),
  removePeriod: call('DELETE salary/periods/{id}'),
  period: call('GET salary/periods/{id}', { external: true, timeout: 'long', workClass: 'bulk' }),
  person: call('GET salary/periods/{id}/people/{user_id}', { external: true, timeout: 'long', workClass: 'bulk' }),
  export: call('POST salary/periods/{id}/export', { external: true, timeout: 'long', workClass: 'bulk' }),
  reopen: call('POST salary/periods/{id}/reopen'),
  file: call('GET salary/exports/{id}', { media: 'text/csv' }),
  rules: call('GET salary/rules'),
  addRule: call('POST salary/rules'),
  changeRule: call('POST salary/rules/{id}/change'),
  endRule: call('POST salary/rules/{id}/end'),
  startPilot: call('POST salary/pilot/start'),
  setSettings: call('PUT salary/settings'),
  myPay: call('GET my/pay/from/{start}/to/{end}', { access: 'person', external: true }),
  myNumbers: call('GET my/numbers/from/{start}/to/{end}', { access: 'person', external: true }),
})

export const payLists = contract<typeof payListSchemas>({ name: 'payLists', area: 'people', access: access.salary }).calls({
  payList: call('GET statistics/pay_list/from/{start}/to/{end}', { external: true, timeout: 'long', workClass: 'bulk' }),
})
