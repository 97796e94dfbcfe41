/** The bar at the foot of a phone: where office users go most, the search and the menu. */
import { IconBox, IconHome, IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { openPalette } from './palette.ts'
import style from './Shell.module.css'

export function PhoneBar({ path, openMenu }: { path: string; openMenu: () => void }) {
  const t = useT()
  const orders = useIsOffered('/parcels/orders')
  const at = (start: string) => (path.startsWith(start) ? 'page' : undefined)
  return (
    <nav className={style.phoneBar} aria-label={t('Quick access')}>
      <Link to="/dashboard" aria-current={at('/dashboard')}>
        <IconHome size={24} stroke={1.6} />
        <span>{t('Home')}</span>
      </Link>
      {orders ? (
        <Link to="/parcels/orders" aria-current={at('/parcels/orders')}>
          <IconBox size={24} stroke={1.6} />
          <span>{t('Orders')}</span>
        </Link>
      ) : null}
      <button type="button" onClick={() => openPalette()}>
        <IconSearch size={24} stroke={1.6} />
        <span>{t('Search')}</span>
      </button>
      <button type="button" aria-haspopup="dialog" onClick={openMenu}>
        <IconMenu2 size={24} stroke={1.6} />
        <span>{t('Menu')}</span>
      </button>
    </nav>
  )
}
