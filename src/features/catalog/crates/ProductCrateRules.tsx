/** The box rules of the product that a drawer shows. */
import { Anchor, Group, List, Stack, Text } from '@mantine/core'
import { useContext } from 'react'
import { access } from '#contract/access.ts'
import { ShownProduct } from '#features/catalog/products/shown-product.client.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { crateRules } from './crate-rules.contract.ts'
import { useRuleWords } from './crate-words.client.ts'

export function ProductCrateRules() {
  const t = useT()
  const words = useRuleWords()
  const sku = useContext(ShownProduct)?.sku ?? ''
  const may = useIsAllowed(access.crateRulesRead) && sku !== ''
  const maySet = useIsAllowed(access.crateRules)
  const rules = useCall(crateRules.list, { sku, limit: 20 }, { enabled: may, live: ['crate'] })
  const rows = rules.data?.rows ?? []
  if (!may || (rows.length === 0 && !maySet)) return null
  return (
    <Stack gap={4} component="section" aria-label={t('Box rules')}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {t('Box rules')}
        </Text>
        {maySet ? (
          <Anchor component={Link} size="sm" to="/settings/crates" search={{ tab: 'rules', query: sku }}>
            {rows.length === 0 ? t('Add rule') : t('Edit')}
          </Anchor>
        ) : null}
      </Group>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('It is packed into any box that holds it.')}
        </Text>
      ) : (
        <List size="sm">
          {rows.map(rule => (
            <List.Item key={rule.id}>{rule.conditions ? `${words(rule)} · ${t('Only for some orders')}` : words(rule)}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}
