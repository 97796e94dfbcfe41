/** Stations and their printers as a matrix; a station opens with its printers by kind of document, to change them. */

import { Button, NativeSelect, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import * as z from 'zod'
import { nextRole, type PrinterRole, paperOfRole, printerRoles } from '#domain/printer-choice.ts'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import type { Printer } from '#features/printing/printers/printers.schemas.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { roleWords } from './printer-roles.labels.ts'
import style from './StationPrinters.module.css'
import { stationPrinters } from './station-printers.contract.ts'
import type { StationPrinters as Station } from './station-printers.schemas.ts'

const keyOf = (station: Station) => station.station_id

export function StationPrinters({ known }: { known: readonly Printer[] }) {
  const t = useT()
  const list = useCall(stationPrinters.list, {}, { live: ['printer'] })
  const may = useIsAllowed(stationPrinters.set.access)
  const [opened, setOpened] = useState<Station | null>(null)
  const columns = useMemo<Column<Station>[]>(
    () => [
      { key: 'station', title: t('Station'), cell: one => one.station },
      ...printerRoles.map(role => ({
        key: role,
        title: t(roleWords[role]),
        flex: 1,
        cell: (one: Station) => <RoleCell station={one} role={role} />,
      })),
    ],
    [t],
  )
  return (
    <>
      <QueryState of={list} shape="rows">
        {stations => (
          <DataTable
            name="station-printers"
            label={t('Printers of the stations')}
            columns={columns}
            list={staticList(stations)}
            keyOf={keyOf}
            {...(may ? { open: setOpened } : {})}
            empty={
              <EmptyList
                title={t('No station yet')}
                action={
                  <Button component={Link} to="/settings/printer">
                    {t('Printers and station')}
                  </Button>
                }
              >
                {t('A station appears here as soon as a device uses it.')}
              </EmptyList>
            }
            card={one => (
              <div>
                <strong>{one.station}</strong>
                {one.printers.map(({ role, printer }) => (
                  <div key={role}>
                    {t(roleWords[role])}: {printerName(t, printer)}
                  </div>
                ))}
                {one.printers.length === 0 ? <div>{t('Each device prints where it chose')}</div> : null}
              </div>
            )}
          />
        )}
      </QueryState>
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened ? t('Printers of {{station}}', { station: opened.station }) : ''}
        size={640}
      >
        {opened ? <RolesForm key={opened.station_id} station={opened} known={known} close={() => setOpened(null)} /> : null}
      </Drawer>
    </>
  )
}

/** The printer with its backup; where the kind has none of its own, the one that it takes over is dim. */
function RoleCell({ station, role }: { station: Station; role: PrinterRole }) {
  const t = useT()
  const own = station.printers.find(one => one.role === role)
  const from = nextRole(role)
  const other = own ? undefined : station.printers.find(one => one.role === from)
  if (other)
    return (
      <Text span size="sm" c="dimmed" title={t('As {{role}}', { role: t(roleWords[other.role]) })}>
        {printerName(t, other.printer)}
      </Text>
    )
  if (!own) return null
  return (
    <span {...(own.fallback ? { title: t('Backup: {{printer}}', { printer: printerName(t, own.fallback) }) } : {})}>
      {printerName(t, own.printer)}
      {own.copies > 1 ? ` × ${own.copies}` : ''}
      {own.fallback ? (
        <Text span size="sm" c="dimmed">
          {' '}
          / {printerName(t, own.fallback)}
        </Text>
      ) : null}
    </span>
  )
}

interface Row {
  role: PrinterRole
  printer_id: string
  fallback_printer_id: string
  copies: string
}
interface Values extends Record<string, unknown> {
  printers: Row[]
}

function RolesForm({ station, known, close }: { station: Station; known: readonly Printer[]; close: () => void }) {
  const t = useT()
  const initial: Values = {
    printers: printerRoles.map((role): Row => {
      const own = station.printers.find(one => one.role === role)
      return {
        role,
        printer_id: String(own?.printer_id ?? ''),
        fallback_printer_id: String(own?.fallback_printer_id ?? ''),
        copies: String(own?.copies ?? 1),
      }
    }),
  }
  const edit = useEdit({
    schema: z.custom<Values>(),
    initial,
    save: ({ printers }) =>
      send(stationPrinters.set, {
        id: station.station_id,
        body: {
          printers: printers.map(({ role, printer_id, fallback_printer_id, copies }) => ({
            role,
            printer_id: printer_id === '' ? null : Number(printer_id),
            fallback_printer_id: printer_id === '' || fallback_printer_id === '' ? null : Number(fallback_printer_id),
            copies: Number(copies),
          })),
        },
      }),
    refreshes: [stationPrinters.list],
    said: t('Saved'),
    done: close,
  })
  const usable = known.filter(one => one.state !== 'gone')
  const named = (one: Printer) => ({ value: String(one.id), label: printerName(t, one.name) })
  const options = (role: PrinterRole) => [
    ...usable.filter(one => one.paper === paperOfRole(role)),
    ...usable.filter(one => one.paper !== paperOfRole(role)),
  ]
  return (
    <Form edit={edit} cancel={close}>
      <Text size="sm" c="dimmed">
        {t('What has no printer here comes out where the device chose. The backup prints when the printer is offline or fails.')}
      </Text>
      {edit.values.printers.map(({ role, printer_id, fallback_printer_id }, i) => {
        const from = nextRole(role)
        const first = usable.find(one => String(one.id) === printer_id)
        const backups = usable.filter(one => (one.id !== first?.id && one.paper === first?.paper) || String(one.id) === fallback_printer_id)
        const word = t(roleWords[role])
        return (
          <fieldset key={role} className={style.role}>
            <legend>{word}</legend>
            <NativeSelect
              label={t('Printer')}
              aria-label={t('Printer: {{role}}', { role: word })}
              data={[
                { value: '', label: from ? t('As {{role}}', { role: t(roleWords[from]) }) : t('As the device chose') },
                ...options(role).map(named),
              ]}
              {...edit.form.getInputProps(`printers.${i}.printer_id`)}
            />
            <NativeSelect
              label={t('Backup printer')}
              aria-label={t('Backup printer: {{role}}', { role: word })}
              {...disabledBecause(!first && t('Select a printer first'))}
              data={[{ value: '', label: t('None') }, ...backups.map(named)]}
              {...edit.form.getInputProps(`printers.${i}.fallback_printer_id`)}
            />
            <NativeSelect
              label={t('Copies')}
              aria-label={t('Copies: {{role}}', { role: word })}
              {...disabledBecause(!first && t('Select a printer first'))}
              data={['1', '2', '3', '4', '5']}
              {...edit.form.getInputProps(`printers.${i}.copies`)}
            />
          </fieldset>
        )
      })}
    </Form>
  )
}
