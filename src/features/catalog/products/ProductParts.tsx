/** The parts of a bundle: products and how many of each one bundle holds. */
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { ProductChoice } from './ProductChoice.tsx'
import { mostComponents, mostOfComponent } from './products.codes.ts'
import type { Product } from './products.schemas.ts'

interface Part {
  sku: string
  quantity: number
}

interface ProductPartsProps {
  parts: readonly Part[]
  set: (parts: Part[]) => void
  errorOf: (field: string) => React.ReactNode
  product: Product | null
}

export function ProductParts({ parts, set, errorOf, product }: ProductPartsProps) {
  const t = useT()
  const list = useRef<HTMLDivElement>(null)
  const shown = useRef(parts.length)
  // The hands are at the button when a part is added: they go on in its field.
  useEffect(() => {
    if (parts.length > shown.current) [...(list.current?.querySelectorAll<HTMLInputElement>('[data-part] input') ?? [])].at(-2)?.focus()
    shown.current = parts.length
  }, [parts.length])
  const bundles = product?.bundles ?? []
  if (bundles.length > 0)
    return (
      <Stack gap={4} component="section" aria-label={t('Bundle')}>
        <Text size="sm" fw={500}>
          {t('Part of bundles')}
        </Text>
        {bundles.map(bundle => (
          <Text key={bundle.product_id} size="sm">
            {t('{{quantity}} in each {{name}} ({{sku}})', { quantity: bundle.quantity, name: bundle.name, sku: bundle.sku })}
          </Text>
        ))}
      </Stack>
    )
  const names = new Map((product?.components ?? []).map(part => [part.sku, part.name]))
  return (
    <Stack gap={8} component="section" aria-label={t('Bundle')} ref={list}>
      <div>
        <Text size="sm" fw={500}>
          {t('Parts of this bundle')}
        </Text>
        <Text size="xs" c="dimmed">
          {parts.length === 0
            ? t('Without parts it is packed as one item.')
            : t('New orders are picked and packed part by part. The code of the bundle shows its parts.')}
        </Text>
      </div>
      {parts.map((one, at) => (
        // A row has no other identity while it is edited.
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are added at the end and removed by their index
        <Group key={at} gap="xs" wrap="nowrap" align="start" data-part>
          <div style={{ flex: 1, minWidth: 0 }}>
            <ProductChoice
              sku={one.sku}
              set={sku => set(parts.with(at, { ...one, sku }))}
              error={errorOf(`components.${at}.sku`)}
              unlabelled
            />
            {names.has(one.sku) ? (
              <Text size="xs" c="dimmed" truncate>
                {names.get(one.sku)}
              </Text>
            ) : null}
          </div>
          <WholeNumberInput
            aria-label={t('Pieces in one bundle')}
            value={one.quantity}
            min={1}
            max={mostOfComponent}
            allowNegative={false}
            w={110}
            suffix={` ${t('pcs')}`}
            error={errorOf(`components.${at}.quantity`)}
            onChange={quantity => set(parts.with(at, { ...one, quantity: Number(quantity) || 1 }))}
          />
          <ActionIcon variant="subtle" color="brick" size="lg" aria-label={t('Remove part')} onClick={() => set(parts.toSpliced(at, 1))}>
            <IconTrash size={20} />
          </ActionIcon>
        </Group>
      ))}
      {parts.length < mostComponents ? (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => set([...parts, { sku: '', quantity: 1 }])}>
            {t('Add part')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}
