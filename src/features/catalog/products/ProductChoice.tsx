/** The field of a product: a SKU, found by name, SKU or barcode. */
import { Autocomplete, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { products } from './products.contract.ts'

interface ProductChoiceProps {
  sku: string
  set: (sku: string) => void
  readOnly?: boolean
  error?: ReactNode
  /** Where a heading above the field names it already. */
  unlabelled?: boolean
}

/** A SKU, found by product name, SKU or barcode. One that no product has yet is taken as well. */
export function ProductChoice({ sku, set, readOnly = false, error, unlabelled = false }: ProductChoiceProps) {
  const t = useT()
  const [query] = useDebouncedValue(sku.trim(), 200)
  const found = useCall(products.search, { query, limit: 10 }, { enabled: query !== '' && !readOnly, keep: true })
  const rows = query === '' ? [] : (found.data?.rows ?? [])
  const named = new Map(rows.map(row => [row.sku, [row.name, row.variant].filter(Boolean).join(', ')]))
  return (
    <Autocomplete
      {...(unlabelled ? { 'aria-label': t('Product'), placeholder: t('Name, SKU or barcode.') } : { label: t('Product') })}
      description={readOnly || unlabelled ? undefined : t('Name, SKU or barcode.')}
      data={[...named.keys()]}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Stack gap={0}>
          <Text size="sm">{named.get(option.value)}</Text>
          <Text size="xs" c="dimmed">
            {option.value}
          </Text>
        </Stack>
      )}
      value={sku}
      maxLength={64}
      readOnly={readOnly}
      variant={readOnly ? 'filled' : 'default'}
      error={error}
      data-autofocus={(!readOnly && !unlabelled) || undefined}
      spellCheck={false}
      onChange={set}
    />
  )
}
