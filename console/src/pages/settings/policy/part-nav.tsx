import { Badge, NavLink, type NavLinkProps, Select } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { PARTS } from './parts';
import type { PolicyPath } from './paths';
import classes from './policy.module.css';

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>;

function RawPart(props: NavLinkProps & Native & { ref?: Ref<HTMLAnchorElement> }) {
  return <NavLink component="a" py={4} {...props} />;
}

const PartLink = createLink(RawPart);

/** The parts of the policy, and how many changes wait in each. */
export function PartNav({
  at,
  changed,
  go,
}: {
  at: string | null;
  changed: readonly PolicyPath[];
  go(part: string): void;
}) {
  const waiting = (part: string) => changed.filter((path) => path.startsWith(`${part}.`)).length;
  return (
    <>
      <nav aria-label="Parts of the policy" className={classes.parts}>
        {PARTS.map(({ id, title }) => (
          <PartLink
            key={id}
            to="/settings"
            search={{ tab: 'policy', part: id }}
            label={title}
            active={id === at}
            aria-current={id === at ? 'page' : undefined}
            rightSection={
              waiting(id) > 0 && (
                <Badge
                  size="sm"
                  color="yellow"
                  variant="light"
                  aria-label={`${waiting(id)} changed`}
                >
                  {waiting(id)}
                </Badge>
              )
            }
          />
        ))}
      </nav>
      <Select
        className={classes.onlyNarrow}
        label="Part of the policy"
        data={PARTS.map(({ id, title }) => ({
          value: id,
          label: waiting(id) > 0 ? `${title} (${waiting(id)} changed)` : title,
        }))}
        value={at}
        placeholder="all that match"
        allowDeselect={false}
        onChange={(id) => {
          if (id !== null) go(id);
        }}
      />
    </>
  );
}
