/** Settings of the return portal: its texts and pictures in each language, whether it is open, and a preview. */
import { Alert, Button, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { locales } from '#contract/limits.ts'
import ReturnSettingsForm from '#features/returns/returns/ReturnSettingsForm.tsx'
import { RmaTextsForm } from '#features/returns/rma-languages/RmaTextsForm.tsx'
import { mainShop } from '#features/returns/rma-languages/rma-languages.codes.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
import type { RmaLanguage } from '#features/returns/rma-languages/rma-languages.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { isLocale, localeNames, useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { OfferForm } from './OfferForm.tsx'

const ReturnReasons = lazy(() => import('./ReturnReasons.tsx'))
const ReturnRules = lazy(() => import('#features/returns/return-rules/ReturnRules.tsx'))

const parts = ['portal', 'offer', 'reasons', 'periods', 'rules'] as const
const Url = { part: urlChoice(parts, 'portal'), language: urlChoice(['', ...locales] as const, ''), shop: urlText(mainShop) }

export function RmaConfigScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const words = { portal: t('Portal'), offer: t('Offer'), reasons: t('Reasons'), periods: t('Periods and fee'), rules: t('Rules') }
  return (
    <Page title={t('Returns')}>
      <Stack gap="md">
        <NativeChoice
          hiddenFrom="sm"
          aria-label={t('Section')}
          data={parts.map(value => ({ value, label: words[value] }))}
          value={url.part}
          choose={part => setUrl({ part })}
        />
        <SegmentedControl
          visibleFrom="sm"
          aria-label={t('Section')}
          maw={600}
          data={parts.map(value => ({ value, label: words[value] }))}
          value={url.part}
          onChange={part => setUrl({ part: parts.find(one => one === part) ?? 'portal' })}
        />
        {url.part === 'portal' ? <Portal /> : null}
        {url.part === 'offer' ? <OfferForm /> : null}
        {url.part === 'reasons' ? (
          <Suspense fallback={<Skeleton shape="rows" />}>
            <ReturnReasons />
          </Suspense>
        ) : null}
        {url.part === 'periods' ? <ReturnSettingsForm close={() => setUrl({ part: 'portal' })} /> : null}
        {url.part === 'rules' ? (
          <Suspense fallback={<Skeleton shape="rows" />}>
            <ReturnRules />
          </Suspense>
        ) : null}
      </Stack>
    </Page>
  )
}

function Portal() {
  const t = useT()
  const { init } = useSignedIn()
  const [url, setUrl] = useUrlState(Url)
  const list = useCall(rmaLanguages.list, { shop: url.shop }, { live: ['return_portal'] })
  const language = url.language === '' ? init.settings.locale : url.language
  return (
    <QueryState of={list} shape="form">
      {({ rows, shops, sends_mail }) => {
        const current = rows.find(one => one.language === language) ?? rows[0]
        return (
          <Stack gap="md">
            {sends_mail ? null : (
              <Alert color="amber">{t('There is no mail account yet: customers get no confirmation. Add one under E-mail.')}</Alert>
            )}
            {shops.length > 1 ? (
              <NativeChoice
                label={t('Shop')}
                description={t('Shops without a portal of their own use the first one.')}
                maw={320}
                data={shops.map(value => ({ value, label: value === mainShop ? t('All other shops') : value }))}
                value={url.shop}
                choose={shop => setUrl({ shop })}
              />
            ) : null}
            <Tabs value={language} onChange={value => value !== null && isLocale(value) && setUrl({ language: value })} keepMounted={false}>
              <Tabs.List>
                {rows.map(one => (
                  <Tabs.Tab key={one.language} value={one.language}>
                    {localeNames[one.language]}
                    {one.enabled ? ' ✓' : ''}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
            {current ? <Language key={`${current.shop} ${current.language}`} one={current} /> : null}
          </Stack>
        )
      }}
    </QueryState>
  )
}

function Language({ one }: { one: RmaLanguage }) {
  const t = useT()
  const { language, shop, enabled } = one
  const shared = { refreshes: [rmaLanguages.list] }
  const enable = useSend(rmaLanguages.enable, { ...shared, said: t('Portal opened') })
  const disable = useSend(rmaLanguages.disable, { ...shared, said: t('Portal closed') })
  const name = localeNames[language]
  const close = async () => {
    if (
      await confirm({
        title: t('Close the portal in {{language}}?', { language: name }),
        body: t('Customers cannot start new returns. Links to running returns keep working.'),
        action: t('Close portal'),
        danger: true,
      })
    )
      disable.mutate({ language, shop })
  }
  const address = `${location.origin}/rma-landing-page?lang=${language}${shop === mainShop ? '' : `&shop=${encodeURIComponent(shop)}`}`
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StateBadge tone={enabled ? 'done' : 'quiet'}>{enabled ? t('Portal open') : t('Portal closed')}</StateBadge>
        {enabled ? (
          <>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {address}
            </Text>
            <Button variant="default" size="compact-sm" loading={disable.isPending} onClick={() => void close()}>
              {t('Close portal')}
            </Button>
          </>
        ) : (
          <Button variant="default" size="compact-sm" loading={enable.isPending} onClick={() => enable.mutate({ language, shop })}>
            {t('Open portal')}
          </Button>
        )}
      </Group>
      <RmaTextsForm one={one} />
    </Stack>
  )
}
