/** Finds an address of the address book and takes it into a form; nothing while the book has none of the kind. */
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAddressBook } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import type { AddressKind } from './address-book.codes.ts'
import { addressBook } from './address-book.contract.ts'
import type { PredefinedAddress } from './address-book.schemas.ts'

interface AddressChoiceProps {
  kind: AddressKind
  choose: (address: PredefinedAddress) => void
}

export function AddressChoice({ kind, choose }: AddressChoiceProps) {
  const t = useT()
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), 250)
  const first = useCall(addressBook.list, { kind, limit: 50 }, { live: ['address_book'] })
  const found = useCall(addressBook.list, { kind, query, limit: 50 }, { keep: true, enabled: query !== '' })
  if (!first.data || first.data.rows.length === 0) return null
  const rows = query === '' ? first.data.rows : (found.data?.rows ?? [])
  const waits = query !== typed.trim() || (query !== '' && found.isFetching)
  return (
    <Combobox
      store={box}
      onOptionSubmit={value => {
        const address = rows.find(row => String(row.id) === value)
        if (!address) return
        choose(address)
        setTyped('')
        box.closeDropdown()
      }}
    >
      <Combobox.Target>
        <TextInput
          label={t('From the address book')}
          placeholder={t('Title, name, street or city')}
          leftSection={<IconAddressBook size={16} />}
          rightSection={waits ? <Loader size="xs" /> : null}
          value={typed}
          autoComplete="off"
          onChange={event => {
            setTyped(event.currentTarget.value)
            box.openDropdown()
            box.selectFirstOption()
          }}
          onFocus={() => box.openDropdown()}
          onClick={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }}>
          {rows.map(row => (
            <Combobox.Option key={row.id} value={String(row.id)}>
              {row.title} · {[row.name === row.title ? null : row.name, row.address1, row.city].filter(Boolean).join(', ')}
            </Combobox.Option>
          ))}
          {rows.length === 0 ? <Combobox.Empty>{waits ? t('Searching…') : t('No results')}</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
