import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps | keyof ButtonProps>;

function RawAnchor(props: AnchorProps & Native & { ref?: Ref<HTMLAnchorElement> }) {
  return <Anchor size="sm" {...props} />;
}

function RawButton(props: ButtonProps & Native & { ref?: Ref<HTMLAnchorElement> }) {
  return <Button component="a" size="xs" variant="default" {...props} />;
}

function RawMenuItem(props: MenuItemProps & Native & { ref?: Ref<HTMLAnchorElement> }) {
  return <Menu.Item component="a" {...props} />;
}

/** A link to another page: `<AnchorLink to="/cards/$id" params={{ id }}>`; its place is checked by type. */
export const AnchorLink = createLink(RawAnchor);

/** The same in the shape of a button. */
export const ButtonLink = createLink(RawButton);

/** The same as an item of a menu. */
export const MenuLink = createLink(RawMenuItem);
