import { Icon, type IconName } from './icon.tsx'

interface Props {
  icon: IconName
  /** What the button does, for people who do not see the icon. */
  label: string
  /** The text that the pointer shows. @default label */
  title?: string
  class?: string
  isDisabled?: boolean
  onClick: () => void
}

/** A button that shows an icon alone. */
export function IconButton({
  icon,
  label,
  title = label,
  class: more = '',
  isDisabled = false,
  onClick,
}: Props) {
  return (
    <button
      type="button"
      class={`quiet ${more}`}
      disabled={isDisabled}
      aria-label={label}
      title={title}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
