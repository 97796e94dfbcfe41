/** Finds a product of a company by name, SKU or barcode; choosing one empties the field for the next. */
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { orderEdits } from './order-edits.contract.ts'
import type { FoundProduct } from './order-edits.schemas.ts'

interface ProductPickerProps {
  label: string
  /** Whose products. */
  of: { order: number } | { company: number | undefined }
  choose: (product: FoundProduct) => void
  error?: string | undefined
}

export function ProductPicker({ label, of, choose, error }: ProductPickerProps) {
  const t = useT()
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), 250)
  const asked = query !== ''
  const ofOrder = useCall(orderEdits.products, { id: 'order' in of ? of.order : 0, query }, { enabled: asked && 'order' in of, keep: true })
  const ofCompany = useCall(
    orderEdits.productsOf,
    { query, ...('company' in of && of.company !== undefined && { company_id: of.company }) },
    { enabled: asked && 'company' in of, keep: true },
  )
  const found = 'order' in of ? ofOrder : ofCompany
  const rows = asked ? (found.data ?? []) : []
  const waits = asked && (found.isFetching || query !== typed.trim())
  return (
    <Combobox
      store={box}
      onOptionSubmit={value => {
        const product = rows.find(row => String(row.product_id) === value)
        if (!product) return
        choose(product)
        setTyped('')
        box.closeDropdown()
      }}
    >
      <Combobox.Target>
        <TextInput
          label={label}
          placeholder={t('Name, SKU or barcode')}
          leftSection={<IconSearch size={16} />}
          rightSection={waits ? <Loader size="xs" /> : null}
          value={typed}
          error={error}
          autoComplete="off"
          onChange={event => {
            setTyped(event.currentTarget.value)
            box.openDropdown()
            box.selectFirstOption()
          }}
          onFocus={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!asked}>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }}>
          {rows.map(row => (
            <Combobox.Option key={row.product_id} value={String(row.product_id)}>
              {[row.name, row.variant].filter(Boolean).join(', ')} · {row.sku}
              {row.bin ? ` · ${row.bin}` : ''}
            </Combobox.Option>
          ))}
          {rows.length === 0 ? <Combobox.Empty>{waits ? t('Searching…') : t('No product found')}</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
