/** The printers of stations in the history of settings, and setting them back. The history names printers as they were called. */
import { orNotFound } from '#contract/errors.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { assignPrinters } from './station-printers.commands.ts'
import { stationsWithPrinters } from './station-printers.queries.ts'
import { RoleChange, type StationPrinters } from './station-printers.schemas.ts'

const name = 'station_printers'

const valuesOf = ({ printers }: StationPrinters) => Object.fromEntries(printers.map(({ role, ...value }) => [role, value]))

async function stationOf({ db, scope }: Context, id: number): Promise<StationPrinters> {
  return orNotFound((await stationsWithPrinters(db, scope.company_id, id))[0], 'station_not_found', 'Station not found')
}

/** Sets the printers of the named kinds of documents, and writes what changed into the history. */
export async function changeStation(context: Context, id: number, rows: readonly RoleChange[]): Promise<StationPrinters> {
  const before = valuesOf(await stationOf(context, id))
  await assignPrinters(context, id, rows)
  const station = await stationOf(context, id)
  const after = valuesOf(station)
  const named = rows.map(row => row.role)
  const of = (values: Readonly<Record<string, unknown>>) => Object.fromEntries(named.map(role => [role, values[role]]))
  await recordOwnedChanges(context, `${name}.${id}`, of(before), of(after))
  return station
}

/** Printers may have another name since. */
const Value = RoleChange.omit({ role: true }).strip().nullable()
const keyOf = (value: unknown): string => JSON.stringify(Value.safeParse(value).data ?? null)

export const stationPrintersOwner: SettingOwner = {
  name,
  async placeNames({ db, scope }) {
    const stations = await stationsWithPrinters(db, scope.company_id)
    return new Map(stations.map(one => [String(one.station_id), one.station]))
  },
  async read(context, place) {
    await context.db.selectFrom('companies').select('id').where('id', '=', context.scope.company_id).forUpdate().execute()
    return valuesOf(await stationOf(context, Number(place)))
  },
  isSame: (current, after) => keyOf(current) === keyOf(after),
  async save(context, place, values, field) {
    const value = Value.safeParse(values[field] ?? null)
    const role = RoleChange.shape.role.safeParse(field)
    if (!value.success || !role.success) throw notValid()
    return changeStation(context, Number(place), [
      { printer_id: null, fallback_printer_id: null, copies: 1, ...value.data, role: role.data },
    ])
  },
}
