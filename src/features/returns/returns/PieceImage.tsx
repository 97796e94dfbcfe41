/** The picture of the product of a piece, as it was sent. */
import { products } from '#features/catalog/products/products.contract.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import type { ReturnItem } from './returns.schemas.ts'

export const PieceImage = ({ item, size }: { item: ReturnItem; size: number }) => (
  <ImageView
    from={item.has_picture && item.product_id !== null ? { call: products.picture, input: { id: item.product_id } } : null}
    sku={item.sku ?? item.name}
    name={item.name}
    size={size}
    version={item.picture_version}
  />
)
