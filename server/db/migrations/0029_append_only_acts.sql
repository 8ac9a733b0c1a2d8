-- An act stays as it was recorded: the role of the running server cannot change the trigger, nor what an act says.
create function refuse_changed_act() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- A day less than the least AUDIT_DAYS: clocks differ.
    if old.at > now() - interval '29 days' then
      raise exception 'acts of the last 29 days are not deleted' using errcode = 'insufficient_privilege';
    end if;
    return old;
  end if;
  -- An erasure removes the actor and the address, repeated acts are counted.
  if (new.id, new.at, new.act, new.subject_kind, new.subject_id, new.person_id)
      is distinct from (old.id, old.at, old.act, old.subject_kind, old.subject_id, old.person_id)
    or new.actor_id is not null and new.actor_id is distinct from old.actor_id
    or new.address is not null and new.address is distinct from old.address
    or new.times < old.times
    or new.last_at < old.last_at
    or not new.details @> old.details
  then
    raise exception 'recorded acts do not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_changed_act();
