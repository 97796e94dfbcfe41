/**
 * The settings without a page: their list where it stands alone; beside it the first page of the company, since each person's own settings are
 * also in the menu of the person.
 */
import { useMediaQuery } from '@mantine/hooks'
import { useEffect } from 'react'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { SettingsList, useSettingsGroups } from './SettingsList.tsx'
import style from './Shell.module.css'

const own = '/settings/me'
/** What a company sets up first. */
const companyPage = '/settings/company-config'
const narrow = '(max-width: 62em)'

export function SettingsScreen() {
  const t = useT()
  const go = useNavigate()
  const alone = useMediaQuery(narrow, window.matchMedia(narrow).matches)
  const pages = useSettingsGroups().flatMap(group => group.pages.map(page => page.path))
  const first = [companyPage, ...pages].find(page => page !== own && pages.includes(page)) ?? pages[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way there is the same at any time
  useEffect(() => {
    if (!alone && first) go(first, {}, { replace: true })
  }, [alone, first])
  return (
    <Page title={t('Settings')} narrow>
      {alone ? (
        <div className={style.settingsAlone}>
          <SettingsList />
        </div>
      ) : null}
    </Page>
  )
}
