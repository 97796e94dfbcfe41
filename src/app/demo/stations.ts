/** Stations of the demo: each prints into the folders of the built-in printers, and proves its label printer each working day. */
import { paperOfRole, printerRoles } from '#domain/printer-choice.ts'
import { trySendingPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { printersOf } from '#features/printing/printers/printers.queries.ts'
import { refreshPrinters } from '#features/printing/printers/providers.server.ts'
import { printSelfTest, setSchedule } from '#features/printing/self-tests/self-tests.commands.ts'
import { setStationPrinters } from '#features/printing/station-printers/station-printers.commands.ts'
import { touchStation } from '#features/printing/stations/stations.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const names = ['Packing 1', 'Packing 2'] as const
/** Days with a page, before today. */
const testedDays = 5
const day_ms = 86_400_000

export async function buildStations(services: Services, scope: TenantScope, { packer }: { packer: { name: string } }): Promise<void> {
  const now = services.now()
  const { company_id } = scope
  const system = createSystemContext(services, scope)
  await refreshPrinters(system, company_id)
  const ids = await system.transaction(async ({ db }) => {
    const printers = (await printersOf(db, company_id)).filter(({ kind }) => kind === 'file')
    const stations: number[] = []
    for (const name of names) {
      const { id } = await touchStation(db, name, now)
      const of = (role: (typeof printerRoles)[number]) => printers.find(({ paper }) => paper === paperOfRole(role))?.id ?? null
      await setStationPrinters(
        db,
        { company_id, station_id: id },
        printerRoles.map(role => ({ role, printer_id: of(role), fallback_printer_id: null, copies: 1 })),
      )
      await setSchedule(db, { company_id, station_id: id, at: '06:45', days: [1, 2, 3, 4, 5], asks: false })
      stations.push(id)
    }
    return stations
  })
  for (let ago = testedDays; ago > 0; ago--) {
    const printed = new Date(Math.floor((now.getTime() - ago * day_ms) / day_ms) * day_ms + 5.75 * 3_600_000)
    if ([0, 6].includes(printed.getUTCDay())) continue
    const then = createSystemContext({ ...services, now: () => printed }, scope)
    for (const station_id of ids) {
      const test = { company_id, station_id, day: printed.toISOString().slice(0, 10), scheduled: true }
      const { id, print_job_id } = await then.transaction(async context => {
        const printed_id = await printSelfTest(context, test)
        return context.db
          .selectFrom('printer_self_tests')
          .select(['id', 'print_job_id'])
          .where('id', '=', printed_id)
          .executeTakeFirstOrThrow()
      })
      await trySendingPrint(then, print_job_id)
      await then.transaction(({ db }) =>
        db
          .updateTable('printer_self_tests')
          .set({ proved_at: new Date(printed.getTime() + 11 * 60_000).toISOString(), proved_by_name: packer.name })
          .where('id', '=', id)
          .execute(),
      )
    }
  }
}
