/** Timesheets: planned, clocked and approved hours of each day, and the own hours of everyone. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { timesheetSchemas } from './timesheet.schemas.ts'

export const timesheet = contract<typeof timesheetSchemas>({
  name: 'timesheet',
  area: 'people',
  access: access.scheduleAdmin,
  internal: true,
}).calls({
  list: call('GET timesheet/from/{start}/to/{end}'),
  day: call('GET timesheet/day/{user_id}/{day}'),
  approve: call('POST timesheet/approve'),
  unapprove: call('POST timesheet/unapprove'),
  lock: call('POST timesheet/lock'),
  unlock: call('POST timesheet/unlock', { access: access.salary }),
  settings: call('GET timesheet/settings'),
  setSettings: call('POST timesheet/settings'),
  mine: call('GET my/hours/from/{start}/to/{end}', { access: 'person' }),
  myDay: call('GET my/hours/day/{day}', { access: 'person' }),
})
