/** A link inside the product: an ordinary anchor, so that the middle mouse button, copying and screen readers work. */
import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { fetchScreen } from '#ui/navigation/fetch-screen.ts'
import { hrefOf } from './url-state.ts'

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string
  search?: Record<string, unknown>
  replace?: boolean
  children?: ReactNode
  ref?: Ref<HTMLAnchorElement>
}

/** `<Link to="/parcels/orders" search={{ id: 7 }}>100023</Link>`; as part of the kit: `<Button component={Link} to="…">`. */
export function Link({ to, search, replace, onClick, onPointerEnter, children, ...anchor }: LinkProps) {
  const { history } = useRouter()
  const href = hrefOf(to, search)
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || anchor.target
    if (event.defaultPrevented || elsewhere) return
    event.preventDefault()
    if (replace) history.replace(href)
    else history.push(href)
  }
  return (
    <a
      {...anchor}
      href={href}
      onClick={click}
      onPointerEnter={event => {
        onPointerEnter?.(event)
        // The code of the screen is there before the click lands.
        fetchScreen(to)
      }}
    >
      {children}
    </a>
  )
}
