/** The punch clock: the kiosk, one's own times, and those who look after them. */
import { call, contract } from '#contract/endpoint.ts'
import type { punchClockSchemas } from './punch-clock.schemas.ts'

/** Everyone who clocks in, and devices that stand for all. */
const punchers = ['admin', 'punchclock_admin', 'punchclock', 'schedule_admin'] as const
/** Who looks after the times of others. */
export const punchLeads = ['admin', 'punchclock_admin', 'schedule_admin'] as const

const lead = { access: punchLeads } as const
const own = { internal: true } as const

export const punchClock = contract<typeof punchClockSchemas>({ name: 'punchClock', area: 'people', access: punchers }).calls({
  punchIn: call('POST punch_clock/punch_in', { ipLock: true, external: true, workClass: 'scan' }),
  punchOut: call('POST punch_clock/punch_out/{x}', { ipLock: true, external: true, workClass: 'scan' }),
  current: call('GET punch_clock/current'),
  last: call('GET punch_clock/last'),
  check: call('GET punch_clock/validate/check', lead),
  validate: call('POST punch_clock/validate/{id}', lead),
  remove: call('POST punch_clock/delete/{id}'),
  board: call('GET dashboard/punch_clock', { access: 'anyone', rateLimit: { max: 60, seconds: 60 } }),
  today: call('GET report/work_done/to_day', { external: true }),
  notOut: call('GET punch_clock/not_punch_out', lead),
  search: call('GET punch_clock/search/{q}', { rateLimit: { max: 60, seconds: 60 }, workClass: 'search' }),
  setType: call('POST punch_clock/set_punch_type/{id}/{type}'),
  update: call('POST punch_clock/update/{id}'),
  workDone: call('GET report/work_done/from/{start}/to/{end}', { external: true, timeout: 'long' }),
  exportWorkDone: call('GET report/work_done/from/{start}/to/{end}/export', {
    ...own,
    external: true,
    media: 'text/csv',
    timeout: 'long',
  }),
  interval: call('GET punch_clock/interval/{start}/to/{end}'),

  kiosk: call('GET punch_clock/kiosk', { ...own, external: true }),
  identify: call('POST punch_clock/identify', { ...own, ipLock: true, external: true, workClass: 'scan' }),
  sync: call('POST punch_clock/sync', { ...own, ipLock: true, external: true, workClass: 'scan' }),
  agree: call('POST punch_clock/announcements/{id}/agree', { ...own, ipLock: true }),
  earlyOut: call('POST punch_clock/early_out', { ...own, ipLock: true, workClass: 'scan' }),
  undo: call('POST punch_clock/undo', { ...own, ipLock: true, workClass: 'scan' }),
  decide: call('POST punch_clock/decide/{id}', { ...own, ...lead }),
  ask: call('POST punch_clock/ask/{id}', { ...own, ...lead }),
  seen: call('POST punch_clock/rejects/{client_id}/seen', { ...own, ...lead }),
  boardTokens: call('GET punch_clock/board_token', { ...own, ...lead }),
  makeBoardToken: call('POST punch_clock/board_token', { ...own, ...lead }),
  revokeBoardToken: call('DELETE punch_clock/board_token/{id}', { ...own, ...lead }),
})
