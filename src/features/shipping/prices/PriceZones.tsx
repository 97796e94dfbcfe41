/** Zones of the price tables: countries, or postcodes in them. */
import { Button, Group, MultiSelect, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { country, list as listed, number } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { countryOptions } from './country-options.client.ts'
import { prices } from './prices.contract.ts'
import { PriceZoneRow, ZoneFields } from './prices.schemas.ts'

const keyOf = (row: PriceZoneRow) => row.id
const refreshes = [prices.zones, prices.list]

interface ZonesProps {
  top: ReactNode
  ofCompany: { company?: string }
  mayEdit: boolean
}

export function PriceZones({ top, ofCompany, mayEdit }: ZonesProps) {
  const t = useT()
  const [open, setOpen] = useState<PriceZoneRow | 'new' | null>(null)
  const zones = useCall(prices.zones, ofCompany, { live: ['price'] })
  const list = { ...staticList(zones.data ?? []), isLoading: zones.isPending, error: zones.error, refetch: () => void zones.refetch() }
  const putBack = useCommand(
    ({ name, countries, postcodes }: PriceZoneRow) => send(prices.createZone, { ...ofCompany, body: { name, countries, postcodes } }),
    { refreshes, said: t('The zone is back') },
  )
  const remove = useCommand((row: PriceZoneRow) => send(prices.removeZone, { ...ofCompany, id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      setOpen(null)
      toastWithUndo(t('Zone {{name}} removed', { name: row.name }), () => putBack.mutate(row))
    },
  })
  const columns = useMemo<Column<PriceZoneRow>[]>(
    () => [
      { key: 'name', title: t('Name'), flex: 1, cell: row => row.name },
      { key: 'countries', title: t('Countries'), flex: 3, cell: row => listed(row.countries.map(country)) },
      { key: 'postcodes', title: t('Postcodes'), flex: 2, cell: row => row.postcodes || t('All') },
      { key: 'prices', title: t('Prices'), align: 'end', cell: row => number(row.prices) },
    ],
    [t],
  )
  const add = mayEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      {t('Add zone')}
    </Button>
  ) : null
  return (
    <Page title={t('Shipping methods')} fill actions={list.total === 0 ? null : add}>
      {top}
      <DataTable
        name="price-zones"
        label={t('Zones')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        {...(mayEdit && { open: setOpen })}
        rowActions={row =>
          mayEdit
            ? [
                { label: t('Edit'), run: () => setOpen(row) },
                { label: t('Remove zone'), danger: true, run: () => remove.mutate(row) },
              ]
            : []
        }
        empty={
          <EmptyList title={t('No zones yet')} action={add}>
            {t('Without zones a price holds everywhere.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.name}</span>
              <span>{number(row.prices)}</span>
            </RowCardLine>
            <span>{listed(row.countries.map(country))}</span>
          </RowCard>
        )}
      />
      <Drawer opened={open !== null} onClose={() => setOpen(null)} size={480} title={open === 'new' ? t('New zone') : t('Zone')}>
        {open ? (
          <ZoneForm
            key={open === 'new' ? 0 : open.id}
            zone={open === 'new' ? null : open}
            ofCompany={ofCompany}
            close={() => setOpen(null)}
            saved={() => setOpen(null)}
            remove={row => remove.mutate(row)}
          />
        ) : null}
      </Drawer>
    </Page>
  )
}

interface ZoneFormProps {
  zone: PriceZoneRow | null
  ofCompany: { company?: string }
  close: () => void
  saved: () => void
  remove: (zone: PriceZoneRow) => void
}

const valuesOf = (zone: PriceZoneRow | null) => ({
  name: zone?.name ?? '',
  countries: zone ? [...zone.countries] : [],
  postcodes: zone?.postcodes ?? '',
})

function ZoneForm({ zone, ofCompany, close, saved, remove }: ZoneFormProps) {
  const t = useT()
  const version = useRef(zone?.version ?? 0)
  const edit = useEdit({
    schema: ZoneFields,
    initial: valuesOf(zone),
    save: body =>
      zone
        ? send(prices.updateZone, { ...ofCompany, id: zone.id, body: { ...body, version: version.current } })
        : send(prices.createZone, { ...ofCompany, body }),
    refreshes,
    said: t('Zone saved'),
    ...(zone && {
      undo: (answer: PriceZoneRow, before: ReturnType<typeof valuesOf>) =>
        send(prices.updateZone, { ...ofCompany, id: zone.id, body: { ...before, version: answer.version } }),
    }),
    done: saved,
    conflict: {
      schema: PriceZoneRow,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  return (
    <Form edit={edit} cancel={close}>
      <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
      <MultiSelect label={t('Countries')} data={countryOptions()} searchable clearable {...edit.of('countries')} />
      <Textarea
        label={t('Postcodes')}
        description={t('Such as 2100-2999, 9000, SW1*. Empty: the whole countries.')}
        autosize
        minRows={2}
        maxRows={8}
        {...edit.of('postcodes')}
      />
      {zone ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(zone)}>
            {t('Remove zone')}
          </Button>
        </Group>
      ) : null}
    </Form>
  )
}
