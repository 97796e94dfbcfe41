/** Self-tests of printers: handlers. */
import { conflict, notFound, orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { implement } from '#platform/http/feature-module.ts'
import { printSelfTest, proveSelfTest, removeSchedule, setSchedule, skipSelfTest } from './self-tests.commands.ts'
import { selfTests } from './self-tests.contract.ts'
import { selfTestById, stationSelfTests, testOfToday } from './self-tests.queries.ts'
import { selfTestsSchemas } from './self-tests.schemas.ts'

/** The day on the company's clock. */
const dayOn = (at: Date, time_zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(time_zone).toPlainDate().toString()

const unknownStation = 'Station not found'
const unknownTest = 'This test page is not known here'

export const selfTestsServer = implement(
  selfTests,
  selfTestsSchemas,
  {
    list: (_, { db, scope, now }) => stationSelfTests(db, scope.company_id, now()),

    async state({ station }, { db, scope, now }) {
      const { time_zone } = await companySettings(db, scope.company_id)
      return testOfToday(db, { company_id: scope.company_id, station, day: dayOn(now(), time_zone), now: now() })
    },

    async set({ id, body }, { db, scope, now, recordEvent, notify }) {
      const { company_id } = scope
      const { station, printer } = orNotFound((await stationSelfTests(db, company_id, now(), id))[0], 'station_not_found', unknownStation)
      if (printer === null) throw conflict('station_without_printer', 'Set a label printer for this station first.')
      await setSchedule(db, { company_id, station_id: id, ...body })
      await recordEvent({ kind: 'self_test.set', subject: 'station', subject_id: id, data: { station, ...body } })
      notify('printer')
      return orNotFound((await stationSelfTests(db, company_id, now(), id))[0], 'station_not_found', unknownStation)
    },

    async remove({ id }, { db, scope, recordEvent, notify }) {
      if (!(await removeSchedule(db, scope.company_id, id))) throw notFound('station_not_found', unknownStation)
      await recordEvent({ kind: 'self_test.removed', subject: 'station', subject_id: id })
      notify('printer')
    },

    async print({ id }, context) {
      const { db, scope, now } = context
      const { time_zone } = await companySettings(db, scope.company_id)
      const day = dayOn(now(), time_zone)
      const made = await printSelfTest(context, { company_id: scope.company_id, station_id: id, day, scheduled: false })
      return orNotFound(await selfTestById(db, scope.company_id, made, now()), 'test_page_unknown', unknownTest)
    },

    async skip({ id }, context) {
      await skipSelfTest(context, id)
      return orNotFound(await selfTestById(context.db, context.scope.company_id, id, context.now()), 'test_page_unknown', unknownTest)
    },
  },
  {
    async 'printer.proved'(events, context) {
      for (const { data } of events) await proveSelfTest(context, data.print_job_id)
    },
  },
)
