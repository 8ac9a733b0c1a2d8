-- Owners do not rate their own projects: ratings from before go, and the trigger takes them out of the sums.
delete from project_ratings r using projects p where p.id = r.project_id and p.owner_id = r.user_id;
