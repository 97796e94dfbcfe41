/** The address book: senders and recipients that labels and orders by hand are made from again and again. */
import { Button, Group, Text } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { country } from '#ui/kit/format.ts'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { AddressBookForm } from './AddressBookForm.tsx'
import { type AddressKind, addressKinds, addressSorts } from './address-book.codes.ts'
import { addressBook } from './address-book.contract.ts'
import type { PredefinedAddress } from './address-book.schemas.ts'

const View = {
  query: urlText(),
  kind: urlChoice(['', ...addressKinds], ''),
  sort: urlChoice(addressSorts, 'title'),
  page: urlNumber(1),
  /** Id of the open address, or `new`. */
  id: urlText(),
}
const refreshes = [addressBook.list]
const keyOf = (row: PredefinedAddress) => row.id
const kindLabels: Record<AddressKind, string> = { sender: 'Sender', recipient: 'Recipient' }
const placeOf = (row: PredefinedAddress) => `${row.postcode} ${row.city}`
const fieldsOf = ({ id: _id, version: _version, updated_at: _at, ...fields }: PredefinedAddress) => fields

export function AddressBookScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const [exporting, setExporting] = useState(false)
  const filter = { query: url.query, kind: url.kind || undefined, sort: url.sort }
  const list = usePagedList(addressBook.list, { ...filter, page: url.page, limit: 50 }, { live: ['address_book'] })
  const close = () => setUrl({ id: '' })
  const saved = () => {
    close()
    list.showPendingChanges()
  }
  const putBack = useCommand((row: PredefinedAddress) => send(addressBook.create, { body: fieldsOf(row) }), {
    refreshes,
    said: t('The address is back'),
    done: () => list.showPendingChanges(),
  })
  const remove = useCommand((row: PredefinedAddress) => send(addressBook.remove, { id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      list.showPendingChanges()
      toastWithUndo(t('Address {{title}} removed', { title: row.title }), () => putBack.mutate(row))
    },
  })
  const removeOpen = (row: PredefinedAddress) => {
    // What is gone must not be read again.
    close()
    remove.mutate(row)
  }
  const saveAs = async () => {
    setExporting(true)
    try {
      saveFile(await send(addressBook.export, filter))
    } catch (error) {
      toastError(error)
    } finally {
      setExporting(false)
    }
  }
  const columns = useMemo<Column<PredefinedAddress>[]>(
    () => [
      {
        key: 'title',
        title: t('Title'),
        flex: 2,
        sort: true,
        cell: row => (
          <Group gap="xs" wrap="nowrap">
            <Text truncate>{row.title}</Text>
            {row.is_default ? <StateBadge tone="done">{t('Default')}</StateBadge> : null}
          </Group>
        ),
      },
      { key: 'kind', title: t('Used as'), cell: row => t(kindLabels[row.kind]) },
      { key: 'name', title: t('Name'), flex: 2, sort: true, cell: row => row.name },
      { key: 'address1', title: t('Street'), flex: 2, cell: row => row.address1 },
      { key: 'city', title: t('City'), flex: 2, sort: true, cell: placeOf },
      { key: 'country', title: t('Country'), sort: true, cell: row => country(row.country) },
      { key: 'phone', title: t('Phone'), hidden: true, cell: row => row.phone ?? '–' },
      { key: 'email', title: t('E-mail'), flex: 2, hidden: true, cell: row => row.email ?? '–' },
      { key: 'updated_at', title: t('Changed'), hidden: true, sort: true, cell: row => <RelativeTime at={row.updated_at} as="age" /> },
    ],
    [t],
  )
  const id = url.id === 'new' || url.id === '' ? null : Number(url.id)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
      {t('New address')}
    </Button>
  )
  const filtered = url.query !== '' || url.kind !== ''
  return (
    <Page
      title={t('Address book')}
      fill
      actions={
        list.total > 0 || filtered ? (
          <>
            <Button variant="default" leftSection={<IconDownload size={16} />} loading={exporting} onClick={() => void saveAs()}>
              {t('Export')}
            </Button>
            {add}
          </>
        ) : null
      }
    >
      <DataTable
        name="address-book"
        label={t('Address book')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.id) })}
        opened={id}
        sort={url.sort}
        onSort={sort => setUrl({ sort })}
        onPage={page => setUrl({ page })}
        rowActions={row => [
          { label: t('Edit'), run: () => setUrl({ id: String(row.id) }) },
          { label: t('Remove address'), danger: true, run: () => remove.mutate(row) },
        ]}
        toolbar={
          <FilterBar
            name="address-book"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Title, name, street or city') }}
            filters={[
              {
                key: 'kind',
                label: t('Used as'),
                kind: 'one',
                options: addressKinds.map(value => ({ value, label: t(kindLabels[value]) })),
                value: url.kind ? [url.kind] : [],
                set: ([one]) => setUrl({ kind: addressKinds.find(kind => kind === one) ?? '' }),
              },
            ]}
          />
        }
        filtered={filtered}
        clearFilters={() => setUrl({ query: '', kind: '' })}
        empty={
          <EmptyList title={t('No addresses yet')} action={add}>
            {t('Senders and recipients that you need again: a repair centre, a second warehouse.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.title}</span>
              <span>{t(kindLabels[row.kind])}</span>
            </RowCardLine>
            <span>{row.name}</span>
            <span>{[row.address1, placeOf(row), country(row.country)].join(', ')}</span>
          </RowCard>
        )}
      />
      <Drawer opened={url.id !== ''} onClose={close} size={560} title={url.id === 'new' ? t('New address') : t('Address')}>
        {url.id === 'new' ? (
          <AddressBookForm address={null} kind={url.kind || 'recipient'} close={close} saved={saved} remove={() => {}} />
        ) : id !== null && Number.isInteger(id) ? (
          <OpenAddress key={id} id={id} close={close} saved={saved} remove={removeOpen} />
        ) : null}
      </Drawer>
    </Page>
  )
}

interface OpenProps {
  id: number
  close: () => void
  saved: () => void
  remove: (address: PredefinedAddress) => void
}

function OpenAddress({ id, close, saved, remove }: OpenProps) {
  const answer = useCall(addressBook.get, { id })
  return (
    <QueryState of={answer} shape="form">
      {address => <AddressBookForm address={address} kind={address.kind} close={close} saved={saved} remove={remove} />}
    </QueryState>
  )
}
